#!/bin/sh
# Start the corpora from real sources, scenarios and journals, and from changes to catalogues.
cd "$(dirname "$0")" || exit 1
for target in parse compile; do
  mkdir -p corpus/$target
  for file in ../saga/tests/toy/*/*.saga ../games/tcg/rules/*.saga; do
    cp "$file" "corpus/$target/$(echo "$file" | tr '/.' '__')"
  done
done
mkdir -p corpus/scenario
for file in ../saga/tests/toy/scenarios/*.scenario; do
  # One scenario a file: small inputs fuzz best.
  awk -v out="corpus/scenario/$(basename "$file" .scenario)" '/^scenario /{n++} n{print > (out "_" n)}' "$file"
done
mkdir -p corpus/journal
for file in ../games/all/tests/releases/*/*-1.journal; do
  # The head and some answers: small inputs fuzz best.
  head -20 "$file" > "corpus/journal/$(basename "$file")"
done
mkdir -p corpus/catalogue
# A change to a good catalogue: which one, where in three bytes, how, what.
number=0
for place in '\144\000' '\350\003' '\210\023' '\050\043' '\040\116' '\060\165'; do
  number=$((number + 1))
  printf '\001'"$place"'\000\001\003' > corpus/catalogue/change_$number
done
