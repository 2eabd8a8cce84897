ffmpeg -loglevel error -i "$media/sdr.mov" -c:v libx264 -crf 40 out.mov
prints 'largest    ' candela compare "$media/sdr.mov" out.mov
prints '"largestError" : ' candela compare "$media/sdr.mov" out.mov --json --plot with.png
# The metric gets its own panel, 290 rows high, below the panels of the other metrics.
[ "$(ffprobe -v error -show_entries stream=height -of csv=p=0 with.png)" = 1170 ] ||
  stop "$row: its panel is not in the plot"
# The metric needs code values, like PSNR and SSIM, so it is left out for files whose colors differ.
candela transcode "$media/sdr.mov" hdr.mov --preset hevc-hlg --quiet
prints 'PSNR, SSIM and largest: the colors differ' candela compare "$media/sdr.mov" hdr.mov
