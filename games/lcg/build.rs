fn main() {
    trilogy_saga::build_game();
}
