# SPDX-License-Identifier: GPL-2.0-or-later
# The documentation's examples and Tests/ExampleApp build against CandelaKit alone.
#
#   Scripts/check api
#
# They are built in a separate package that imports nothing else. This shows that all names in them
# are public, and that one import is enough. It also shows that a package that uses only the library
# does not depend on swift-argument-parser, which only the program needs. Then the app is run on a
# sample.

need_swift
need_packages "${library_packages[@]}"

package=.build/check-api
mkdir -p "$package/Sources/Examples"
ln -sfn ../../../Tests/ExampleApp/Sources/ExampleApp "$package/Sources/ExampleApp"
cat >"$package/Package.swift" <<'EOF'
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "examples",
  dependencies: [.package(name: "candela", path: "../..", traits: ["GPLEncoders"])],
  targets: [
    .target(name: "Examples", dependencies: [.product(name: "CandelaKit", package: "candela")]),
    .executableTarget(
      name: "ExampleApp", dependencies: [.product(name: "CandelaKit", package: "candela")]),
  ])
EOF

# Each example becomes the body of a function, and so does the README's program.
awk '
  BEGIN { print "import CandelaKit\n\nnonisolated(unsafe) var seen: [PixelBuffer] = []\n" }
  FILENAME == "README.md" {
    if (/^    import CandelaKit$/) { print "func readme() async throws {"; inside = 1; next }
    if (inside && !/^(    .*)?$/) { print "}\n"; inside = 0 }
    if (inside) print
    next
  }
  match($0, /\/\/ example: [a-z]+/) {
    name = substr($0, RSTART + 12, RLENGTH - 12)
    print "func " name "("
    print "  input: String, output: String, track: AssetTrack, settings: TranscodeSettings"
    print ") async throws {"
    body = 1
    next
  }
  body && /\/\/ end$/ { print "}\n"; body = 0 }
  body
' README.md Tests/TranscodingTests/DocumentationExamples.swift >"$package/Sources/Examples/Examples.swift"
grep -q '^func readme' "$package/Sources/Examples/Examples.swift" || stop "the README has no program"

say "building the documentation's examples and the example app against CandelaKit alone"
log=$package/build.log
swift build --package-path "$package" >"$log" 2>&1 || { grep -E "error:" "$log" >&2; stop "see $log"; }
if grep -q argument-parser "$package/Package.resolved" 2>/dev/null; then
  stop "a package that uses only the library depends on swift-argument-parser"
fi

say "running the example app on a sample"
app=$(swift build --package-path "$package" --show-bin-path)/ExampleApp
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$app" sample "$folder/sample.mov" >/dev/null
"$app" "$folder/sample.mov" "$folder" >"$folder/log" || { cat "$folder/log" >&2; stop "the example app failed"; }
for output in converted.mp4 exported.mov composed.mp4; do
  [ -s "$folder/$output" ] || stop "the example app made no $output"
done
