/**
 * Where the values of an `html` template stand: a small scanner over its static text, which follows the states of
 * the HTML tokenizer (https://html.spec.whatwg.org/#tokenization). Escaping protects text and quoted attributes
 * only; every other place needs a check of its value.
 */

/** What the scanner is inside of. `script` and `style` end only at their end tag. */
type State =
  | 'text'
  | 'tagName'
  | 'betweenAttributes'
  | 'attributeName'
  | 'afterName'
  | 'unquoted'
  | 'doubleQuoted'
  | 'singleQuoted'
  | 'comment'
  | 'declaration'
  | 'script'
  | 'style';

/**
 * `quoted` is an attribute in quotes, `code` one whose text is code or markup, `behindName` directly after the name
 * of an attribute without a value.
 */
export type PlaceKind =
  | Exclude<State, 'afterName' | 'doubleQuoted' | 'singleQuoted'>
  | 'behindName'
  | 'quoted'
  | 'code';

/** Where one value stands. */
export interface ValuePlace {
  readonly kind: PlaceKind;
  /** The attribute, in lower case; the empty string outside of one. */
  readonly attribute: string;
  readonly quote: '"' | "'";
}

/**
 * Scans a template that starts in text, or between the attributes of a tag. `end` is what it leaves open; `onText` gets
 * each piece of its text and of its attributes in quotes, and what it returns stands there in `markup`.
 */
export function findPlaces(
  strings: readonly string[],
  start: 'text' | 'betweenAttributes',
  onText: (text: string) => string = (text) => text,
): {
  readonly places: readonly ValuePlace[];
  readonly end: State;
  readonly markup: readonly string[];
} {
  const scanner = new Scanner(start);
  const places: ValuePlace[] = [];
  const markup = strings.map((text, index) => {
    const read = scanner.read(text, onText);
    const following = strings[index + 1];
    if (following !== undefined) {
      const quote = scanner.state === 'singleQuoted' ? "'" : '"';
      const { attribute } = scanner;
      places.push({ kind: scanner.placeBefore(following), attribute, quote });
    }
    return read;
  });
  return { places, end: scanner.state, markup };
}

/** Where the browser reads a reference to a character. */
const IS_TEXT: ReadonlySet<State> = new Set(['text', 'doubleQuoted', 'singleQuoted']);
const SPACE = /[\t\n\f\r ]/;
const RUNS_AS_CODE = /^(?:on.*|srcdoc)$/;

class Scanner {
  state: State;
  attribute = '';
  /** The name of the tag that was begun, in lower case; an end tag has its slash. */
  #tag = '';

  constructor(state: State) {
    this.state = state;
  }

  read(text: string, onText: (text: string) => string): string {
    let markup = '';
    for (let at = 0, next = 0; at < text.length; at = next) {
      const isText = IS_TEXT.has(this.state);
      next = this.#step(text, at);
      markup += isText ? onText(text.slice(at, next)) : text.slice(at, next);
    }
    return markup;
  }

  /** The place of a value between the text that was read and the text that follows. */
  placeBefore(following: string): PlaceKind {
    const { state } = this;
    if (state === 'betweenAttributes' || state === 'afterName' || state === 'attributeName') {
      // The value may end with a name; its text is not known here.
      this.state = 'attributeName';
      this.attribute = '';
      if (/^[\t\n\f\r ]*=/.test(following)) return 'attributeName';
      return state === 'attributeName' ? 'behindName' : 'betweenAttributes';
    }
    if (state === 'doubleQuoted' || state === 'singleQuoted')
      return RUNS_AS_CODE.test(this.attribute) ? 'code' : 'quoted';
    return state;
  }

  /** Reads from one position, and returns the next. */
  #step(text: string, at: number): number {
    switch (this.state) {
      case 'text':
        return this.#readText(text, at);
      case 'script':
      case 'style':
        return this.#readRaw(text, at, this.state);
      case 'comment':
        return this.#skipTo(text, at, /--!?>/g);
      case 'declaration':
        return this.#skipTo(text, at, />/g);
      case 'doubleQuoted':
        return this.#skipTo(text, at, /"/g, 'betweenAttributes');
      case 'singleQuoted':
        return this.#skipTo(text, at, /'/g, 'betweenAttributes');
      default:
        return this.#readTag(text, at);
    }
  }

  #readText(text: string, at: number): number {
    // A `<` at the end makes a tag of the value after it.
    const open = /<(?:(!--(?:-?>)?)|(\/?)([a-z]|$)|[!?/])/gi;
    open.lastIndex = at;
    const found = open.exec(text);
    if (found === null) return text.length;
    const [all, comment, slash = '', letter] = found;
    if (letter !== undefined) {
      this.state = 'tagName';
      this.#tag = slash;
      return open.lastIndex - letter.length;
    }
    // `<!-->` is a whole comment.
    if (comment === undefined) this.state = 'declaration';
    else if (!comment.endsWith('>')) this.state = 'comment';
    return found.index + all.length;
  }

  #readRaw(text: string, at: number, element: 'script' | 'style'): number {
    this.#tag = `/${element}`;
    const close = new RegExp(`</${element}(?=[\\t\\n\\f\\r />])`, 'gi');
    return this.#skipTo(text, at, close, 'betweenAttributes');
  }

  #skipTo(text: string, at: number, end: RegExp, state: State = 'text'): number {
    end.lastIndex = at;
    if (!end.test(text)) return text.length;
    this.state = state;
    return end.lastIndex;
  }

  #readTag(text: string, at: number): number {
    const character = text.charAt(at);
    const { state } = this;
    if (character === '>') {
      this.state = this.#tag === 'script' || this.#tag === 'style' ? this.#tag : 'text';
    } else if (state === 'unquoted') {
      if (SPACE.test(character)) this.state = 'betweenAttributes';
    } else if (SPACE.test(character) || character === '/') {
      this.state = state === 'attributeName' ? 'afterName' : state;
      if (state === 'tagName' || character === '/') this.state = 'betweenAttributes';
    } else if (state === 'tagName') {
      this.#tag += character.toLowerCase();
    } else if (character === '=' && state !== 'betweenAttributes') {
      return this.#startValue(text, at + 1);
    } else {
      if (state !== 'attributeName') this.attribute = '';
      this.attribute += character.toLowerCase();
      this.state = 'attributeName';
    }
    return at + 1;
  }

  #startValue(text: string, at: number): number {
    let first = at;
    while (SPACE.test(text.charAt(first))) first++;
    const quote = text.charAt(first);
    if (quote === '"') this.state = 'doubleQuoted';
    else if (quote === "'") this.state = 'singleQuoted';
    else {
      this.state = quote === '>' ? 'betweenAttributes' : 'unquoted';
      return first;
    }
    return first + 1;
  }
}
