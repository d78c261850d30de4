/**
 * The process that makes pictures of what people send. Nothing that is sent is decoded anywhere else: a decoder that
 * loops, crashes or takes too much memory ends this process alone. The decoders are WebAssembly, so that a flaw in them
 * cannot reach the files and secrets of the service either.
 *
 * What comes back is new: pixels, turned upright, in sRGB, as JPEG, without anything else that was in the file.
 */
import type { PictureFormat } from './picture-head.ts';
import type { PictureLibraries } from './picture-libraries.ts';
import {
  type Answer,
  KEPT_EDGE,
  LIST_EDGE,
  MAX_PIXELS,
  type MadePictures,
  PAGE_EDGE,
  type Task,
} from './picture-task.ts';

/** Pages of 64 KiB for each decoder: 512 MiB. */
const MEMORY_PAGES = 8_192;

limitMemory(MEMORY_PAGES);
const { vips: vipsModule, heif: heifModule } = JSON.parse(
  process.argv[2] ?? '{}',
) as PictureLibraries;
const quiet = { print() {}, printErr() {} };
const vips = await load<Vips>(vipsModule);
vips.concurrency(1);
vips.Cache.max(0);

/** What we use of wasm-vips. Its types need DOM's. */
interface Vips {
  concurrency(threads: number): void;
  readonly Cache: { max(operations: number): void };
  readonly Image: {
    newFromBuffer(bytes: Uint8Array, options: string, more?: object): VipsImage;
    newFromMemory(bytes: Uint8Array, ...shape: readonly (number | string)[]): VipsImage;
    thumbnailBuffer(bytes: Uint8Array, edge: number, options: object): VipsImage;
  };
}

interface VipsImage {
  readonly width: number;
  readonly height: number;
  delete(): void;
  getTypeof(name: string): number;
  getInt(name: string): number;
  hasAlpha(): boolean;
  flatten(options: object): VipsImage;
  extractBand(band: number, options: object): VipsImage;
  copy(options: object): VipsImage;
  thumbnailImage(edge: number, options: object): VipsImage;
  writeToBuffer(format: string, options: object): Uint8Array;
}

interface Heif {
  readonly HeifDecoder: new () => { decode(bytes: Uint8Array): readonly HeifImage[] };
}

interface HeifImage {
  get_width(): number;
  get_height(): number;
  display(target: object, then: (shown: object | null) => void): void;
  free(): void;
}

class Refused extends Error {}

process.on('message', async ({ bytes, format }: Task) => {
  const answer = await make(bytes, format).catch(toFailure);
  process.send?.(answer);
  // After anything but a plain refusal, the memory of a decoder may be in any state.
  if ('failure' in answer && answer.failure.isFatal) process.disconnect?.();
});
process.send?.({ ready: true });

async function make(bytes: Uint8Array, format: PictureFormat): Promise<Answer> {
  const kept = format === 'heic' ? await fromHeic(bytes) : fromBytes(bytes);
  const { width, height } = kept;
  const keptBytes = toJpeg(kept, 85);
  const page = vips.Image.thumbnailBuffer(keptBytes, PAGE_EDGE, {
    height: PAGE_EDGE,
    size: 'down',
  });
  const pageBytes = toJpeg(page, 80, true);
  const list = vips.Image.thumbnailBuffer(pageBytes, LIST_EDGE, {
    height: LIST_EDGE,
    crop: 'centre',
  });
  const made: MadePictures = {
    kept: { bytes: keptBytes, width, height },
    page: { bytes: pageBytes, width: page.width, height: page.height },
    list: { bytes: toJpeg(list, 75), width: LIST_EDGE, height: LIST_EDGE },
  };
  for (const image of [kept, page, list]) image.delete();
  return { made };
}

function fromBytes(bytes: Uint8Array): VipsImage {
  // Only the header is read here.
  const head = vips.Image.newFromBuffer(bytes, '', { access: 'sequential' });
  const { width, height } = head;
  const pages = head.getTypeof('n-pages') === 0 ? 1 : head.getInt('n-pages');
  // Without a profile it is in sRGB already, and to convert it would take ten times as long as to decode it.
  const hasProfile = head.getTypeof('icc-profile-data') !== 0;
  head.delete();
  requireSize(width, height);
  if (pages > 1) throw new Refused('it is animated');
  const image = vips.Image.thumbnailBuffer(bytes, KEPT_EDGE, {
    height: KEPT_EDGE,
    size: 'down',
    ...(hasProfile ? { export_profile: 'srgb' } : {}),
    fail_on: 'truncated',
  });
  return image.hasAlpha() ? image.flatten({ background: [255, 255, 255] }) : image;
}

/** libheif turns the picture upright by itself. */
async function fromHeic(bytes: Uint8Array): Promise<VipsImage> {
  if (heifModule === null) throw new Refused('its format is not known here');
  const heif = await load<Heif>(heifModule);
  const [image] = new heif.HeifDecoder().decode(bytes);
  if (image === undefined) throw new Refused('it could not be read');
  const [width, height] = [image.get_width(), image.get_height()];
  requireSize(width, height);
  const data = new Uint8ClampedArray(width * height * 4);
  const shown = await new Promise((resolve) => {
    image.display({ data, width, height }, resolve);
  });
  if (shown === null) throw new Refused('it could not be read');
  image.free();
  const raw = vips.Image.newFromMemory(new Uint8Array(data.buffer), width, height, 4, 'uchar');
  const colours = raw.extractBand(0, { n: 3 }).copy({ interpretation: 'srgb' });
  return colours.thumbnailImage(KEPT_EDGE, { height: KEPT_EDGE, size: 'down' });
}

/** `keep` is what stays of the data beside the pixels. */
function toJpeg(image: VipsImage, quality: number, isInterlaced = false): Uint8Array {
  const bytes = image.writeToBuffer('.jpg', { Q: quality, keep: 'none', interlace: isInterlaced });
  // A copy: the memory of a decoder is shared among its threads, and cannot be sent.
  return new Uint8Array(bytes);
}

function requireSize(width: number, height: number): void {
  if (width < 1 || height < 1 || width * height > MAX_PIXELS) throw new Refused('it is too large');
}

function toFailure(error: unknown): Answer {
  if (error instanceof Refused) return { failure: { reason: error.message, isFatal: false } };
  // libvips throws exceptions of WebAssembly, with a kind and a message.
  const { message } = error as { readonly message?: unknown };
  const isVips = Array.isArray(message) && message[0] === 'vips::Error';
  const text = isVips ? String(message[1]) : String(message ?? error);
  const isFatal = !isVips || /memory/i.test(text);
  return { failure: { reason: text.replaceAll(/\s+/g, ' ').trim().slice(0, 200), isFatal } };
}

async function load<Library>(module: string): Promise<Library> {
  const { default: create } = await import(module);
  return create({ dynamicLibraries: [], ...quiet });
}

interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** Of `WebAssembly`, which the types of Node lack. */
interface MemoryClass {
  new (descriptor: { readonly initial: number; readonly maximum?: number }): WasmMemory;
  readonly prototype: WasmMemory;
}

/** Also of memories that the modules make for themselves, which they may grow to 2 or 4 GiB. */
function limitMemory(pages: number): void {
  const wasm = Reflect.get(globalThis, 'WebAssembly') as { Memory: MemoryClass };
  const { Memory } = wasm;
  const { grow } = Memory.prototype;
  Memory.prototype.grow = function (delta: number) {
    if (this.buffer.byteLength / 65_536 + delta > pages)
      throw new RangeError('The decoder needs too much memory.');
    return grow.call(this, delta);
  };
  wasm.Memory = class extends Memory {
    constructor({ maximum = pages, ...descriptor }: ConstructorParameters<MemoryClass>[0]) {
      super({ ...descriptor, maximum: Math.min(maximum, pages) });
    }
  };
}
