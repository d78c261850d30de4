/**
 * The parameters of a pattern, read from its literal type: `/items/:number(\\d+)` gives
 * `{ number: string }`, so that a handler asking for another name does not compile.
 */

type Letter =
  | 'a'
  | 'b'
  | 'c'
  | 'd'
  | 'e'
  | 'f'
  | 'g'
  | 'h'
  | 'i'
  | 'j'
  | 'k'
  | 'l'
  | 'm'
  | 'n'
  | 'o'
  | 'p'
  | 'q'
  | 'r'
  | 's'
  | 't'
  | 'u'
  | 'v'
  | 'w'
  | 'x'
  | 'y'
  | 'z';
type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';
type NameCharacter = Letter | Uppercase<Letter> | Digit | '_';

/** The longest run of name characters at the start of `S`. */
type LeadingName<
  S extends string,
  Name extends string = '',
> = S extends `${infer First}${infer Rest}`
  ? First extends NameCharacter
    ? LeadingName<Rest, `${Name}${First}`>
    : Name
  : Name;

/** What follows a name: its regular expression in brackets is skipped. */
type AfterGroup<S extends string> = S extends `(${infer Rest}` ? AfterBracket<Rest> : S;

/** What follows the bracket that is open; `Inner` holds one entry for each bracket open inside it. */
type AfterBracket<
  S extends string,
  Inner extends readonly unknown[] = [],
> = S extends `\\${infer _Escaped}${infer Rest}`
  ? AfterBracket<Rest, Inner>
  : S extends `(${infer Rest}`
    ? AfterBracket<Rest, [...Inner, '(']>
    : S extends `)${infer Rest}`
      ? Inner extends readonly [...infer Fewer, unknown]
        ? AfterBracket<Rest, Fewer>
        : Rest
      : S extends `${infer _Other}${infer Rest}`
        ? AfterBracket<Rest, Inner>
        : S;

type Names<P extends string> = P extends `${string}:${infer Rest}`
  ?
      | LeadingName<Rest>
      | (Rest extends `${LeadingName<Rest>}${infer Tail}` ? Names<AfterGroup<Tail>> : never)
  : never;

/** A pattern that is not known literally gives every name a value that may be missing. */
export type ParamsOf<P extends string> = string extends P
  ? { readonly [name: string]: string | undefined }
  : { readonly [Name in Names<P>]: string };
