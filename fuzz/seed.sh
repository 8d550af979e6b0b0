#!/bin/sh
# Start the corpora from real sources and scenarios, and from what would go on for ever.
cd "$(dirname "$0")" || exit 1
for target in parse compile; do
  mkdir -p corpus/$target
  for file in ../saga/tests/toy/*/*.saga ../games/tcg/rules/*.saga endless/*.saga; do
    cp "$file" "corpus/$target/$(echo "$file" | tr '/.' '__')"
  done
done
mkdir -p corpus/scenario
for file in ../saga/tests/toy/scenarios/*.scenario; do
  # One scenario a file: small inputs fuzz best.
  awk -v out="corpus/scenario/$(basename "$file" .scenario)" '/^scenario /{n++} n{print > (out "_" n)}' "$file"
done
