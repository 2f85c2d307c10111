package rows

import (
	"fmt"
	"strings"
)

// ParseCSV reads CSV (RFC 4180) with a delimiter of any length. A field may stand in double quotes, which are doubled
// within; line ends may be \n or \r\n; empty lines are skipped, and so is a byte order mark.
func ParseCSV(text, delimiter string) ([][]string, error) {
	text = strings.TrimPrefix(text, "\uFEFF")
	if strings.Contains(text, `"`) {
		return parseQuoted(text, delimiter)
	}
	var rows [][]string
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSuffix(line, "\r"); line != "" {
			rows = append(rows, strings.Split(line, delimiter))
		}
	}
	return rows, nil
}

func parseQuoted(text, delimiter string) ([][]string, error) {
	var rows [][]string
	var row []string
	for text != "" {
		var field string
		var err error
		if text[0] == '"' {
			field, text, err = quotedField(text)
		} else {
			field, text = plainField(text, delimiter)
		}
		if err != nil {
			return nil, err
		}
		row = append(row, field)
		if rest, more := strings.CutPrefix(text, delimiter); more {
			text = rest
			if text != "" && text[0] != '\n' && text[0] != '\r' {
				continue
			}
			row = append(row, "") // a line that ends with the delimiter has an empty field there
		}
		rest := strings.TrimPrefix(text, "\r")
		if rest != "" && rest[0] == '\n' {
			text = rest[1:]
		} else if text != "" {
			return nil, fmt.Errorf("row %d has text after a closing quote", len(rows)+1)
		}
		if len(row) > 1 || row[0] != "" {
			rows = append(rows, row)
		}
		row = nil
	}
	return rows, nil
}

func quotedField(text string) (field, rest string, err error) {
	end := 1
	for {
		at := strings.IndexByte(text[end:], '"')
		if at < 0 {
			return "", "", fmt.Errorf("a quote is not closed: %s", text[:min(len(text), 40)])
		}
		end += at
		if end+1 == len(text) || text[end+1] != '"' {
			return strings.ReplaceAll(text[1:end], `""`, `"`), text[end+1:], nil
		}
		end += 2
	}
}

func plainField(text, delimiter string) (field, rest string) {
	end := strings.IndexByte(text, '\n')
	if end < 0 {
		end = len(text)
	} else if end > 0 && text[end-1] == '\r' {
		end--
	}
	if next := strings.Index(text[:end], delimiter); next >= 0 {
		end = next
	}
	return text[:end], text[end:]
}
