# The one style of all figures. A script sets width and height (in cm) if it wants them different, says
# `load style`, and draws from csv. The caller defines csv, style, format (pdf, png, svg) and output; by hand:
#   gnuplot -e "csv='x.csv'; style='style.gp'; format='png'; output='x.png'" figure.gp

if (!exists("width"))  width = 8.6   # one column of a two-column journal; 17.8 is the full width
if (!exists("height")) height = 6.2

set encoding utf8
# Sizes on paper are the same in all three: fonts 7.5 pt, line widths (lw) in pt.
face = "DejaVu Sans,7.5"
if (format eq "pdf") {
  # its fonts count 96 dots to the inch, its lines 144
  eval sprintf("set terminal pdfcairo enhanced color size %gcm,%gcm font '%s' fontscale 0.75 " \
    ."linewidth 2 dashlength 1.1 pointscale 0.4 butt", width, height, face)
}
if (format eq "png") {
  dots = 300/72.
  eval sprintf("set terminal pngcairo enhanced color size %d,%d font '%s' fontscale %g " \
    ."linewidth %g dashlength 1.1 pointscale %g butt", \
    int(width/2.54*300 + 0.5), int(height/2.54*300 + 0.5), face, 0.75*dots, dots, 0.4*dots)
}
if (format eq "svg") {
  dots = 96/72.
  eval sprintf("set terminal svg enhanced size %d,%d dynamic font '%s' fontscale %g " \
    ."linewidth %g dashlength 0.75 butt background '#ffffff'", \
    int(width/2.54*96 + 0.5), int(height/2.54*96 + 0.5), face, dots, dots)
  set pointsize 0.55
}
set output output

# Data: comma separated, comments, then a row of column names ("t" in quotes is the column called t).
set datafile separator comma
set datafile commentschars "#"
set datafile columnheaders
set datafile missing NaN
# using "t":(where("scheme", "post", column("g"))) draws the rows whose scheme is post, joined by one line.
where(name, wanted, y) = (stringcolumn(name) eq wanted) ? y : NaN

# Okabe-Ito colours, which colour-blind readers tell apart (their yellow, too pale on paper, is left out);
# every colour has its own dashes and points, so that grey print reads as well.
set linetype 1 lc rgb "#000000" lw 1.0 pt 7  dt solid
set linetype 2 lc rgb "#0072b2" lw 1.0 pt 5  dt (14,5)
set linetype 3 lc rgb "#d55e00" lw 1.0 pt 9  dt (9,4,2,4)
set linetype 4 lc rgb "#009e73" lw 1.0 pt 11 dt (5,4)
set linetype 5 lc rgb "#cc79a7" lw 1.2 pt 13 dt (2,3)
set linetype 6 lc rgb "#e69f00" lw 1.2 pt 6  dt (16,4,2,4,2,4)
set linetype 7 lc rgb "#56b4e9" lw 1.2 pt 4  dt (22,6)
set linetype 8 lc rgb "#777777" lw 0.9 pt 8  dt (3,6)
set linetype cycle 8

# A scheme looks the same in every figure.
lt_post = 1; lt_pre = 2; lt_peri = 3; lt_mix = 4; lt_ngpt = 5; lt_sqrt = 6; lt_lns = 7
# What theory predicts: thin and grey, beside the measured line.
set style line 100 lc rgb "#777777" lw 0.6 dt (3,4)
theory = 100
# Bands between two columns: using "t":"low":"high" with filledcurves fs @band lc ...
band = "transparent solid 0.18 noborder"

set style data lines
set border 3 lw 0.5 lc rgb "#333333"
set tics nomirror out scale 0.5,0.25 textcolor rgb "#000000"
set grid xtics ytics back lt -1 lw 0.25 lc rgb "#d9d9d9" dt solid
set key outside top center horizontal Left reverse samplen 3.4 spacing 1.05 noopaque
set key width (format eq "svg" ? 3 : 0.5)  # the svg terminal guesses text widths too small
set xlabel offset 0,0.3
set ylabel offset 0.8,0
power_of_ten = "10^{%L}"   # set format y power_of_ten
