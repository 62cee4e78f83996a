"""Files of SPSS, Stata and SAS: columns with labels, descriptions and user-missing values."""
