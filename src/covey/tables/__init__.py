"""What a table is: frames in and out, and the numeric matrix a technique sees."""
