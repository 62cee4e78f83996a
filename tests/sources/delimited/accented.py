"""Words with accents, as they stand in the registers of each language."""

GERMAN = (
    "Müller Groß Öffentlicher Süd Köln Lübeck Jäger Düsseldorf Schäfer Weiß Übersee Ärztin "
    "Höhne Größe Straße München Nürnberg Thüringen Württemberg Bäckerei Königsberg Fußgänger"
)
FRENCH = (
    "François Lefèvre Orléans Nîmes Besançon Hélène Benoît Châlons Angoulême Saint-Étienne "
    "Évry Noël Anaïs Curaçao Où Île-de-France Rhône Zoé Agnès Loïc Jérôme Béziers"
)
SPANISH = (
    "Muñoz Logroño Peña Cádiz León Málaga Ávila Córdoba Núñez Ibáñez Martínez García López "
    "Sánchez Íñigo Güell Jaén Castellón Almería Óscar Úbeda Andalucía"
)
DANISH = (
    "Søren Århus Kjær Rødovre Ærø Jørgensen Sørensen Nørregård Åse Østerbro København Næstved "
    "Køge Birkerød Græsted Ålborg Hørsholm Tårnby Ringkøbing Bjørn André Skærbæk"
)
NORWEGIAN = (
    "Tromsø Bodø Ålesund Østfold Lillestrøm Bærum Åsnes Øyvind Pål Håkon Bjørn Sør-Trøndelag "
    "Færder Måløy Røros Tønsberg Grünerløkka Kåre Ås Gjøvik Rælingen Ørsta"
)
SWEDISH = (
    "Malmö Göteborg Örebro Västerås Norrköping Åkesson Öberg Söderström Ängelholm Björk Håkan "
    "Märta Åsa Jönköping Skåne Växjö Gävle Luleå Umeå Lindén Sjögren Älvsborg"
)
DUTCH = (
    "België Daniël Zoë Eugène Renée Coördinator Reünie Patiënt Oekraïne Israël René Noël Raphaël "
    "Curaçao Categorieën Financiële Carrière André Michaël Fraude-coördinatie Café Joël"
)
ITALIAN = (
    "Niccolò Forlì Cefalù Città Università Qualità Però Perché Lunedì Venerdì Virtù Gioventù "
    "Libertà Nicolò Cantù Sarà Età Più Così Già Società Caffè"
)
PORTUGUESE = (
    "São João Conceição Guimarães Magalhães Évora Setúbal Bragança Gonçalves Simões Araújo "
    "Antônio Inês Âncora Português Relações Irmã Mãe Luís Lourenço Assunção Avô"
)
POLISH = (
    "Łódź Żółkiewska Kraków Wiśniewski Gdańsk Poznań Wałęsa Dąbrowski Zieliński Kamiński Święty "
    "Rzeszów Źródło Częstochowa Białystok Toruń Bąk Ćwik Małgorzata Łukasz Wójcik Król"
)
CZECH = (
    "Jiří Plzeň Dvořáková Věra Černý Tomáš Děčín Novák Růžička Šťastný Žižkov Příbram Kateřina "
    "Říha Ústí Olomoucký Třebíč Kroměříž Jihlavský Něměc Zlínský Přerov"
)
HUNGARIAN = (
    "Kovács Gergő Győr Szűcs Kőszeg Erdős Németh Tóth Szabó Pécs Székesfehérvár Kecskemét Fűzfő "
    "Zsófia Örkény Óbuda Őrség Újpest László Sándor Horváth Vörös"
)
ROMANIAN = (
    "Bucureşti Iaşi Braşov Constanţa Galaţi Timişoara Piteşti Bănescu Ştefan Ţepeş Mălăele "
    "Călăraşi Brăila Târgu Mureş Bacău România Împărat Înalt Română Buzău Băsescu"
)
