# SPDX-License-Identifier: GPL-2.0-or-later
# Makes the Debian package in a root file system ("root") of the given release, into which this
# machine's Swift is mounted. Then uses the package in a second root that has no Swift: installs it,
# runs the README's commands, checks that man pages and completions are there, removes the package,
# and checks that nothing of it is left. All packages come from the Debian mirror that this
# machine's apt uses. Only the user root can do all this. For other users, the test is skipped.
#
#   Scripts/test --debian 12|13 [--clip FILE] [--tests] [--keep] [--into FOLDER]
#
#   --clip    also transcodes this clip from a phone, validates the outputs and extracts RPUs
#   --tests   also runs the test suite with the release's libraries
#   --keep    keeps both roots, in .build/debian-12 or .build/debian-13; the next run builds in the
#             kept root, but tries the package in a new one
#   --into    copies the package to a folder after everything has succeeded

number='' release='' clip='' tests=0 keep=0 into=''
while [ $# -gt 0 ]; do
  case $1 in
    12) number=12 release=bookworm ;;
    13) number=13 release=trixie ;;
    --clip)
      clip=${2:?--clip FILE}
      case $clip in /*) ;; *) clip=$OLDPWD/$clip ;; esac
      [ -r "$clip" ] || stop "$clip cannot be read"
      shift
      ;;
    --tests) tests=1 ;;
    --keep) keep=1 ;;
    --into)
      into=${2:?--into FOLDER}
      case $into in /*) ;; *) into=$OLDPWD/$into ;; esac
      [ -d "$into" ] || stop "$into is no folder"
      shift
      ;;
    *) stop "there is no option $1; see --help" ;;
  esac
  shift
done
[ -n "$release" ] || stop "which release of Debian? 12 or 13"
if [ "$(id -u)" -ne 0 ]; then
  echo "skipped: Scripts/test --debian $number needs chroot, which only root can use"
  exit 0
fi
need_swift
need_packages debootstrap

swift_home=$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")
home=$PWD/.build/debian-$number
source Scripts/parts/roots.sh

mkdir -p "$home"
say "a root of Debian $number to build in"
make_root build
build=$home/build
# Install the libraries, and what Swift and the scripts need. Tools for the tests come later.
add "$build" ca-certificates git g++ libc6-dev libncurses6 libxml2 libsqlite3-0 libcurl4 libedit2 \
  zlib1g-dev binutils cmark-gfm dpkg-dev fakeroot help2man lintian python3 "${library_packages[@]}"
bind "$swift_home" "$build$swift_home"
# In a kept root, the previous build stays. The previous sources are removed, because some of them
# may have been deleted since.
mkdir -p "$build/candela"
find "$build/candela" -mindepth 1 -maxdepth 1 ! -name .build -exec rm -rf {} +
git ls-files -z --cached --others --exclude-standard | tar -c --null -T - | tar -x -C "$build/candela"
if [ -d .build/checkouts ]; then
  # The Swift packages were already fetched on this machine, so they need not be fetched again.
  mkdir -p "$build/candela/.build"
  cp -a --update .build/checkouts .build/repositories .build/workspace-state.json \
    "$build/candela/.build/"
fi
say "the package"
within "$build" sh -c "cd /candela && PATH=\$PATH:$swift_home/bin Scripts/package /candela/package"

within "$build" sh -ec "cd /candela; PATH=\$PATH:$swift_home/bin
  Scripts/install /opt/tried && /opt/tried/bin/candela --version && Scripts/install --remove /opt/tried" ||
  stop "Scripts/install failed to install or to remove"
[ -d "$build/opt" ] || stop "Scripts/install --remove removed /opt, which was there before"
[ ! -e "$build/opt/tried" ] || stop "Scripts/install --remove leaves $(find "$build/opt/tried")"

say "a root of Debian $number to use it in, without Swift"
rm -rf --one-file-system "$home/use"
make_root use
use=$home/use
cp "$build"/candela/package/candela_*.deb "$use/candela.deb"
add "$use" /candela.deb
rm "$use/candela.deb"
mkdir "$use/tmp/work"
# Run the README's commands, in the README's order. Their inputs are made first: a sample movie with
# HDR metadata, an encode of it with less metadata, and an HDR10 file.
{
  echo 'candela --version'
  echo 'candela sample sample.mov --seconds 70 --size 320x180'
  echo 'candela retag sample.mov clip.mov --ambient 314,0.3127,0.329'
  echo 'candela transcode sample.mov nvenc.mp4 --preset hevc-hlg --speed ultrafast'
  echo 'candela transcode sample.mov hdr10.mp4 --preset hevc-pq --speed ultrafast'
  echo 'mkdir -p Photos/2024 && cp clip.mov long.mov && cp clip.mov Photos/2024/a.mov'
  sed -n 's/^    candela /candela /p' README.md
  if [ -n "$clip" ]; then
    echo 'candela transcode phone.mov phone.mp4 --preset h264-sdr'
    echo 'candela transcode phone.mov phone-hlg.mov --preset hevc-hlg'
    echo 'candela validate phone.mp4'
    echo 'candela validate phone-hlg.mov'
    echo 'candela rpu extract phone-hlg.mov phone.bin --presented'
  fi
} >"$use/tmp/work/commands"
if [ -n "$clip" ]; then cp "$clip" "$use/tmp/work/phone.mov"; fi
while read -r command; do
  printf '$ %s\n' "$command"
  status=0
  within "$use" sh -c "cd /tmp/work && $command" </dev/null >"$home/command.log" 2>&1 || status=$?
  tail -n 3 "$home/command.log"
  [ "$status" = 0 ] || stop "'$command' ended with $status; see $home/command.log"
done <"$use/tmp/work/commands"
rm -r "$use/tmp/work"

for file in share/man/man1/candela.1.gz share/man/man1/candela-transcode.1.gz \
  share/bash-completion/completions/candela share/zsh/vendor-completions/_candela \
  share/fish/vendor_completions.d/candela.fish share/doc/candela/copyright \
  share/doc/candela/guides/index.html share/doc/candela/guides/Recipes.html; do
  [ -s "$use/usr/$file" ] || stop "the package lacks /usr/$file"
done
within "$use" bash -c '. /usr/share/bash-completion/completions/candela && complete -p candela'
within "$use" sh -c 'zcat /usr/share/man/man1/candela-transcode.1.gz | grep -q "OPTIONS:"' ||
  stop "the man page of candela transcode has no options"
forms=$(zcat "$use/usr/share/man/man1/candela-retag.1.gz" |
  sed -n '/^\.SH SYNOPSIS/,/^\.SH DESCRIPTION/p' | grep -c '^\.B candela' || true)
[ "$forms" = 3 ] || stop "the man page of candela retag has $forms forms of the command, not 3"
within "$use" apt-get purge -y candela >"$home/apt.log" 2>&1 || stop "the package cannot be removed"
left=$(find "$use" -xdev -iname '*candela*')
[ -z "$left" ] || stop "the package leaves $left"

if [ "$tests" = 1 ]; then
  say "the tests with Debian $number's libraries"
  add "$build" ffmpeg mediainfo mkvtoolnix libimage-exiftool-perl procps
  if [ -d ../shared ]; then bind "$(cd ../shared && pwd)" "$build/shared"; fi
  within "$build" sh -c "cd /candela && PATH=\$PATH:$swift_home/bin Scripts/test --long"
fi
if [ -n "$into" ]; then cp "$build"/candela/package/candela_*.deb "$into/"; fi
say "Debian $number: built, installed, used, removed"
