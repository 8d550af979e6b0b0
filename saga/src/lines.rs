//! Lines and columns of a text, as people and editors count them.

/// Where each line of a text starts.
pub struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub fn of(text: &'a str) -> Lines<'a> {
        Lines { text, starts: std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect() }
    }

    /// The line that a byte stands on, from 0; one behind the end stands on the last.
    pub fn line(&self, byte: usize) -> usize {
        self.starts.partition_point(|start| *start <= byte).saturating_sub(1)
    }

    /// A line without its end; nothing behind the last.
    pub fn text(&self, line: usize) -> &'a str {
        let Some(start) = self.starts.get(line) else { return "" };
        let end = self.starts.get(line + 1).copied().unwrap_or(self.text.len());
        self.text[*start..end].trim_end_matches(['\n', '\r'])
    }

    /// Line and column of a byte, both from 0, the column in units of UTF-16 as editors count it.
    pub fn utf16(&self, byte: usize) -> (usize, usize) {
        let byte = self.text.floor_char_boundary(byte);
        let line = self.line(byte);
        (line, self.text[self.starts[line]..byte].chars().map(char::len_utf16).sum())
    }

    /// The byte at a line and a column in units of UTF-16; a column behind the line is its end, a line behind the text the text's.
    pub fn byte(&self, line: usize, column: usize) -> usize {
        let Some(start) = self.starts.get(line) else { return self.text.len() };
        let mut units = 0;
        let before = self.text(line).char_indices().find(|(_, letter)| {
            let reached = units >= column;
            units += letter.len_utf16();
            reached
        });
        start + before.map_or(self.text(line).len(), |(at, _)| at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_as_editors_do() {
        let text = "a é\r\n𝄞b\n";
        let lines = Lines::of(text);
        assert_eq!(lines.text(0), "a é");
        assert_eq!(lines.utf16(4), (0, 3));
        let b = text.find('b').unwrap_or_default();
        assert_eq!(lines.utf16(b), (1, 2), "the clef is two units");
        assert_eq!(lines.byte(1, 2), b);
        assert_eq!(lines.byte(0, 99), 4, "behind a line is its end");
        assert_eq!(lines.byte(9, 0), text.len());
        assert_eq!((lines.line(text.len()), lines.text(2)), (2, ""));
        for (at, _) in text.char_indices().filter(|(_, letter)| !letter.is_control()) {
            let (line, column) = lines.utf16(at);
            assert_eq!(lines.byte(line, column), at);
        }
    }
}
