/**
 * The parameter types of a pattern, derived from its literal type: `/items/:number<int>` gives
 * `{ number: number }`, so a handler that reads another name does not compile. A pattern that pattern.ts
 * would refuse does not compile either, where its literal type shows the mistake.
 */
import type { Advice } from '../http/advice.ts';

/** The segments as a union. */
type SegmentOf<P extends string> = P extends `${infer S}/${infer Rest}` ? S | SegmentOf<Rest> : P;

type NameOf<S> = S extends `:${infer Name}<int>`
  ? Name
  : S extends `:${infer Name}` | `*${infer Name}`
    ? Name
    : never;

/**
 * The parameters of a pattern, by their names: numbers for `:name<int>`, text for all others. If the pattern
 * is not a literal type, any name is allowed and may be undefined.
 */
export type ParamsOf<P extends string> = string extends P
  ? { readonly [name: string]: string | number | undefined }
  : {
      readonly [S in SegmentOf<P> as NameOf<S>]: S extends `:${string}<int>` ? number : string;
    };

/** The names of the parameters in one text, such as `tag, number`, for a message of the compiler. */
export type JoinedNames<
  P extends string,
  Before extends string = '',
> = P extends `${infer S}/${infer Rest}`
  ? JoinedNames<Rest, Join<Before, NameOf<S>>>
  : Join<Before, NameOf<P>>;

type Join<Before extends string, Name extends string> = [Name] extends [never]
  ? Before
  : Before extends ''
    ? Name
    : `${Before}, ${Name}`;

/** The pattern itself, or what to do about its first segment that cannot be read. */
export type CheckedPattern<P extends string> = [MistakeIn<P>] extends [never]
  ? P
  : Advice<`The pattern has the segment ${MistakeIn<P>}: write text, :name, :name<int> for a whole number, or *name at the end`>;

type MistakeIn<P extends string> = P extends `${infer S}/${infer Rest}`
  ? S extends `*${string}`
    ? S
    : [SegmentMistake<S>] extends [never]
      ? MistakeIn<Rest>
      : S
  : SegmentMistake<P>;

type SegmentMistake<S extends string> =
  NameOf<S> extends infer Name
    ? [Name] extends [never]
      ? S extends Special
        ? S
        : never
      : Name extends Special | '' | `${string}${'.' | '-'}${string}`
        ? S
        : never
    : never;

/** Text with a character that patterns in other routers have. */
type Special =
  `${string}${':' | '(' | ')' | '<' | '>' | '{' | '}' | '*' | '+' | '?' | '\\'}${string}`;
