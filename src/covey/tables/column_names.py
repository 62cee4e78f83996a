"""What the name of a column suggests, in the words of surveys from several countries.

Names of EU-SILC (db030, rb050), of the labour force and earnings surveys (coeff, IDunit), of IPUMS
(SERIAL, PERWT) and of the demographic and health surveys (hv005) are known as such; the others are
words that offices use. A name is a hint: `inspecting` judges it together with the contents.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection


def _words(*names: str) -> str:
    """A pattern for any of the names as whole words."""
    return rf"(^|_)({'|'.join(names)})(_|$)"


_UNITS = (
    r"(household|hh|house|haushalts?|menage|hogar|family|familia|fam|person|pers|personen|unit|"
    r"firm|employer|betriebs?|estab|establishment|enterprise|company|plant|patient|case|record|"
    r"row|respondent|resp|questionnaire|serial|contract|account|policy|school|pupil|student|"
    r"worker|customer|client|sample|emp|ind|men|ent)"
)
# Before "id" at the end of a word that is none: paid, grid, valid, covid, fluid, bid, solid.
_NO_KEYS = ("a", "gr", "val", "cov", "flu", "ac", "rap", "sol", "vo", "hum", "b")

# Names that say "identifier" whatever the column holds.
IDENTIFIER = _words(
    *("id", "uuid", "guid", "ssn", "nin", "iban", "email", "e_mail", "phone", "tel", "passport"),
    *("address", "ident", "identifier", "identifiant", "identificador", "kennung"),
    *("pid", "hid", "hhid", "siren", "siret", "nif", "nir", "cpf"),
)
# Names that say so of whole numbers and text.
KEY = "|".join(
    (
        rf"^id_?{_UNITS}\w*$",
        rf"(^|_){_UNITS}s?id$",
        rf"(^|_){_UNITS}_?(no|nr|num|number|nummer|numero|key|seq|seqnum|line)$",
        rf"[a-z]{{3}}(?<!{')(?<!'.join(_NO_KEYS)})id$",
        # EU-SILC: household, person, father, mother, spouse, sampling unit.
        r"^(db|hb|pb|rb|hx|px|rx)030$|^rb040$|^rb2[234]0$|^pb1[678]0$|^db06[02]$",
        # IPUMS and the Current Population Survey; demographic and health surveys.
        r"^(cb)?serial$|^pernum$|^cpsidp?$|^h?rhhid2?$|^cluster$|^hv00[1-3]$|^hv021$|^hvidx$",
        # Labour force survey, European Social Survey, and others.
        r"^hh$|^hhseqnum$|^idno$|^seqn$|^nquest$|^noi$|^lfd_?(nr|n)$|^ordnungsnummer$|^psu$|^newid$",
    )
)
# Among these, names of households.
HOUSEHOLD = (
    r"^(db|hb|hx|px)030$|^rb040$|^serial$|^hv002$|^nquest$|^(hid|hhseqnum)$|"
    r"(household|haushalt|menage|hogar|(^|_|id)hh|idmen)"
)
# And names of persons, which repeat where they count inside a household.
PERSON_KEY = (
    r"^(pb|rb|px|rx)030$|^pernum$|^cpsidp$|^hvidx$|^(p|pers|person|personen)_?(id|no|nr|num|line)$|"
    r"^id_?(p|pers|person)$"
)
PERSON = _words(
    "name", "surname", "firstname", "lastname", "forename", "nachname", "vorname", "nom"
)
NO_WEIGHT = r"(body|birth|baby|car|vehicle|gross|net|dry|wet|koerper|geburts)_?(weight|gewicht)"
WEIGHT = "|".join(
    (
        r"(^|_)(weights?|wgt|wght|wt|gewicht|poids|pond|grossing|hochrechnung)(_|$|\d)",
        r"^(weights?|gewicht|poids|grossing|hochrechnung|ponder|hrf|hwt)[a-z]*\d*$",
        r"(^|_)(hh|per|p|h|samp|sample|sampling|survey|design|fin|finl|final|asec|earn|rep|ind|"
        r"pers|person|fam|base|cal|psp|an|d)_?(weights?|wgt|wght|wt)[hp]?\d*(_|$)",
        r"(^|_)(factor_(de_)?exp\w*|fexp|fac_?exp\w*|expansion_factor|a?fnlwgt)\d*(_|$)",
        # EU-SILC; IPUMS; demographic and health surveys; INSEE; General Social Survey.
        r"^db0(80|90)$|^rb05[0a]+$|^rb06[0-4]$|^rl070$|^pb0[4-8]0$",
        r"^(h?wtfinl|h?wtsupp|asecwth?|hv005|d005|extrid?|pond\w+|wtss\w*)$",
    )
)
# Among these, names of those of persons and of those of households.
PERSON_WEIGHT = (
    r"^rb05[0a]+$|^rb06[0-4]$|^pb0[4-8]0$|^wtfinl$|^asecwt$|"
    r"(^|_)(per|p|pers|person|personen|ind|individual)_?(weights?|gewicht|wgt|wght|wt)\d*(_|$)|"
    r"(^|_)(weights?|gewicht|wgt|wght|wt)_?(p|per|pers|person|persons|personen|ind)\d*(_|$)"
)
HOUSEHOLD_WEIGHT = (
    r"^db0[89]0$|^hwtfinl$|^asecwth$|^hv005$|"
    r"(^|_)(h|hh|household|haushalts?)_?(weights?|gewicht|wgt|wght|wt)\d*(_|$)|"
    r"(^|_)(weights?|gewicht|wgt|wght|wt)_?(h|hh|household|households|haushalt)\d*(_|$)"
)
# Names that say so of positive numbers with many values.
WEAK_WEIGHT = r"^(coeffi?|coef|factor|faktor|peso)\d*$|(^|_)(coeff|peso|factor)(_|$)"
STRATUM = "|".join(
    (
        _words(
            *("region", "stratum", "strata", r"nuts\d?", "district", "canton", "kanton"),
            *("province", "provincia", "state", "country", "bundesland", "departement", "ccaa"),
            *("comunidad", "regione", "pays", "pais", "paese", r"region\d?d?", "location"),
            *("statefips?", "prefecture"),
        ),
        r"^(db|hb|pb|rb|hx|px|rx)020$|^db0[45]0$|^hv02[2-4]$",
    )
)
YEAR = (
    r"^(db|hb|pb|rb|hx|px|rx)010$|"
    r"^((survey|ref|reference|data)_?)?(year|jahr|annee|anno|wave|welle|syear|vague)$"
)
CONFIDENTIAL = _words(
    *(
        "diag",
        "diagnose",
        "diagnosis",
        "disease",
        "illness",
        "health",
        "disability",
        "religion",
        "ethnicity",
        "union",
    ),
    *("party", "conviction", "crime", "sexual", "hiv"),
)
CODE = "|".join(
    (
        _words(
            *("sex", "gender", "geschlecht", "sexe", "sexo", "sesso", "raced?", "hispand?"),
            *("ethnic", "ethnicity", "marst", "marital", r"isco\w*", r"nace\w*", "noga", "sic"),
            *("naics", r"occ\d*", "occupation", "ind", "industry", "education", r"educd?", "isced"),
            *(r"citizen\w*", "nationality", "birthplace", r"bpld?", "tenure", "ownershp"),
            *("status", "type", "class", "category", "cat", "code", "level", "group", "band"),
            *("bracket", "relate", "relationship", "empstat", "religion", "language"),
            *("sizeclass", "agegroup", "age_?gr", "urban", "gq", "union"),
        ),
        r"^(rb090|pb150|pb190|pb2[12]0a?|pe0[1-4]\d|pl03[01]|pl05[01]|pl11[01]a?|hv025)$",
        STRATUM,
    )
)
COUNT = "|".join(
    (
        _words(
            *("n", "no", "num", "nr", "number", "count", "anzahl", "nombre", "size", r"h+_?size"),
            *("famsize", "members", "persons", "people", "children", "kids", "enfants", "hijos"),
            *("rooms", "bedrooms", "hours?", "weeks", "days", "months", "years", "age"),
            *("alter", "edad", "nchild", r"nchlt\d+", "eqss", "employees", "holidays?"),
            *("cars", "vehicles"),
        ),
        r"^(hx0[45]0|hv009|hv01[0-4])$|hours|weeks",
    )
)
AMOUNT = "|".join(
    (
        r"income|earning|wage|salar|turnover|revenue|amount|expend|einkommen|umsatz|ingreso",
        _words(
            *("pay", "sales", "cost", "costs", "price", "tax", "taxes", "value", "assets", "debt"),
            *("rent", "benefits?", "pension", "lohn", "gehalt", r"revenus?", "salaire", "renta"),
            *("reddito", r"inc[a-z]*", "payments?"),
        ),
        r"^[hp]y\d{3}[gn]?$|^hx090$|^[a-z]*inc$",
    )
)


def as_words(name: str) -> str:
    """A name in small letters without accents, its words joined by lines.

    >>> as_words("IDunit"), as_words("GrossingEmployees"), as_words("Código-Región")
    ('idunit', 'grossing_employees', 'codigo_region')
    """
    plain = unicodedata.normalize("NFKD", name)
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[\s.\-]+", "_", plain).lower()


def words_of(name: str, columns: Collection[str]) -> str:
    """The same, given the other columns of the table.

    In a demographic and health survey, which has a `caseid`, v005 and mv005 are what hv005 is.
    """
    words = as_words(name)
    surveyed = any(other.lower() == "caseid" for other in columns)
    return re.sub(r"^m?v(?=\d{3}$)", "hv", words) if surveyed else words


def suggests(pattern: str, words: str) -> bool:
    """Whether a name, as `words_of` has it, fits a pattern."""
    return re.search(pattern, words) is not None
