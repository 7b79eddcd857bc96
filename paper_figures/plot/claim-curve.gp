# One curve of a claim's report: measured points with their bars, predicted line. The caller also defines name_x,
# name_y, reference (text) and log_x, log_y, bars, theory_line ("yes" or "no").
width = 12; height = 7.2
load style
set xlabel name_x noenhanced
set ylabel name_y noenhanced
if (log_x eq "yes") { set logscale x; set format x power_of_ten }
if (log_y eq "yes") { set logscale y; set format y power_of_ten }
set pointsize 0.45
if (theory_line eq "yes" && bars eq "yes") {
  plot csv using "x":"predicted" with lines lt 3 title reference noenhanced, \
    csv using "x":"measured":"error" with yerrorbars lt 1 title "measured"
}
if (theory_line eq "yes" && bars eq "no") {
  plot csv using "x":"predicted" with lines lt 3 title reference noenhanced, \
    csv using "x":"measured" with points lt 1 title "measured"
}
if (theory_line eq "no" && bars eq "yes") {
  plot csv using "x":"measured":"error" with yerrorbars lt 1 title "measured"
}
if (theory_line eq "no" && bars eq "no") {
  plot csv using "x":"measured" with points lt 1 title "measured"
}
