/**
 * Error messages of the compiler as sentences. Where a mistake would compile, its type becomes an
 * `Advice`. No value has that type, so the mistake does not compile, and the compiler prints the sentence.
 */
declare const advice: unique symbol;

export type Advice<Sentence extends string> = Sentence & { readonly [advice]: true };
