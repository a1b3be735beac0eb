import jsonc, { type ParseErrorCode } from 'jsonc-parser';

const options = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false };

const faults: Readonly<Record<string, string>> = {
  ValueExpected: 'a value is missing',
  PropertyNameExpected: 'a property name in double quotes is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing brace is missing',
  CloseBracketExpected: 'a closing bracket is missing',
  EndOfFileExpected: 'there is something after the end',
  InvalidSymbol: 'there is a word or sign that JSON does not have',
  InvalidNumberFormat: 'there is a number that is not one',
  InvalidCommentToken: 'there is a comment, which JSON does not have',
  UnexpectedEndOfComment: 'there is a comment, which JSON does not have',
  UnexpectedEndOfString: 'a string does not end',
  UnexpectedEndOfNumber: 'a number does not end',
  InvalidUnicode: 'there is an escape sequence that is not valid',
  InvalidEscapeCharacter: 'there is an escape sequence that is not valid',
  InvalidCharacter: 'there is a character that must be escaped',
};

export interface JsonFault {
  /** `a comma is missing` */
  readonly what: string;
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;
}

/**
 * Returns what is wrong with a text that is not JSON, and where; it quotes nothing of the text. Undefined where the
 * place cannot be found, as in a text that is nested too deeply.
 *
 * The messages of `JSON.parse` quote the text, and many name no place.
 */
export function jsonFault(text: string): JsonFault | undefined {
  let first: JsonFault | undefined;
  try {
    const onError = (code: ParseErrorCode, _offset: number, _length: number, line: number, column: number) => {
      const what = faults[jsonc.printParseErrorCode(code)] ?? 'there is a fault';
      first ??= { what, line: line + 1, column: column + 1 };
    };
    jsonc.visit(text, { onError }, options);
  } catch (error) {
    // The parser calls itself for each level.
    if (!(error instanceof RangeError)) throw error;
  }
  return first;
}
