/**
 * The parameter types of a pattern, derived from its literal type. `/items/:number(\\d+)` gives
 * `{ number: string }`, so a handler that reads another name does not compile. Optional parameters
 * (`:name?`, `:name*`, `{…}?`) may be undefined; `(regexp)` and `*` are numbered.
 */

type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';

/** Treats every character with an upper and a lower case as a letter. */
type IsNameCharacter<C extends string> = C extends Digit | '_' | '$'
  ? true
  : Lowercase<C> extends Uppercase<C>
    ? false
    : true;

/** The name at the start of `S`, and what follows it. */
type TakeName<S extends string, Name extends string = ''> = S extends `${infer C}${infer Rest}`
  ? IsNameCharacter<C> extends true
    ? TakeName<Rest, `${Name}${C}`>
    : [Name, S]
  : [Name, S];

/** `S` without the bracketed regular expression at its start, if there is one. */
type SkipGroup<S extends string> = S extends `(${infer Rest}` ? SkipBracket<Rest> : S;

/** The text after the closing bracket; `Inner` has an entry per open nested bracket. */
type SkipBracket<
  S extends string,
  Inner extends readonly unknown[] = [],
> = S extends `\\${infer Rest}`
  ? SkipBracket<SkipOne<Rest>, Inner>
  : S extends `(${infer Rest}`
    ? SkipBracket<Rest, [...Inner, '(']>
    : S extends `)${infer Rest}`
      ? Inner extends readonly [...infer Fewer, unknown]
        ? SkipBracket<Rest, Fewer>
        : Rest
      : S extends `${infer _C}${infer Rest}`
        ? SkipBracket<Rest, Inner>
        : '';

type SkipOne<S extends string> = S extends `${infer _First}${infer Rest}` ? Rest : '';

/** The type of a parameter, given the modifier at the start of `S`. */
type ValueBefore<S extends string> = S extends `?${string}` | `*${string}`
  ? string | undefined
  : string;

type SkipModifier<S extends string> = S extends `${'?' | '*' | '+'}${infer Rest}` ? Rest : S;

/** The text before the closing brace of a group, and the text after it. */
type TakeBraces<S extends string, Text extends string = ''> = S extends `\\${infer C}${infer Rest}`
  ? TakeBraces<Rest, `${Text}\\${C}`>
  : S extends `}${infer Rest}`
    ? [Text, Rest]
    : S extends `${infer C}${infer Rest}`
      ? TakeBraces<Rest, `${Text}${C}`>
      : [Text, ''];

/** A list of pairs of name and type; `Count` has an entry per numbered parameter. */
type Scan<
  S extends string,
  Pairs extends readonly unknown[] = [],
  Count extends readonly unknown[] = [],
> = S extends `\\${infer Rest}`
  ? Scan<SkipOne<Rest>, Pairs, Count>
  : S extends `:${infer Rest}`
    ? AfterValue<TakeName<Rest>[0], SkipGroup<TakeName<Rest>[1]>, Pairs, Count>
    : S extends `(${infer Rest}`
      ? AfterValue<`${Count['length']}`, SkipBracket<Rest>, Pairs, [...Count, '']>
      : S extends `*${infer Rest}`
        ? AfterValue<`${Count['length']}`, Rest, Pairs, [...Count, '']>
        : S extends `{${infer Rest}`
          ? AfterBraces<Scan<TakeBraces<Rest>[0], [], Count>, TakeBraces<Rest>[1], Pairs>
          : S extends `${infer _C}${infer Rest}`
            ? Scan<Rest, Pairs, Count>
            : { pairs: Pairs; count: Count };

type AfterValue<
  Name extends string,
  S extends string,
  Pairs extends readonly unknown[],
  Count extends readonly unknown[],
> = Scan<SkipModifier<S>, [...Pairs, [Name, ValueBefore<S>]], Count>;

type AfterBraces<Inner, S extends string, Pairs extends readonly unknown[]> = Inner extends {
  pairs: infer Found extends readonly [string, unknown][];
  count: infer Count extends readonly unknown[];
}
  ? Scan<
      SkipModifier<S>,
      [...Pairs, ...{ [I in keyof Found]: [Found[I][0], Found[I][1] | ValueBefore<S>] }],
      Count
    >
  : never;

type Pairs<P extends string> = Scan<P>['pairs'][number] & [string, unknown];

/**
 * The parameters of a pattern, by their names. If the pattern is not a literal type, any name is allowed
 * and may be undefined.
 */
export type ParamsOf<P extends string> = string extends P
  ? { readonly [name: string]: string | undefined }
  : { readonly [Pair in Pairs<P> as Pair[0]]: Pair[1] };

/** The names of the parameters in one text, such as `tag, number`, for a message of the compiler. */
export type JoinedNames<P extends string> = Join<Scan<P>['pairs']>;

type Join<Pairs extends readonly unknown[]> = Pairs extends readonly [
  readonly [infer Name extends string, unknown],
  ...infer Rest,
]
  ? Rest extends readonly []
    ? Name
    : `${Name}, ${Join<Rest>}`
  : '';
