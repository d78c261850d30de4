/** What the service and the process of the pictures tell each other: see picture-process.ts. */
import type { PictureFormat } from './picture-head.ts';

/** Pixels of the picture that is decoded. A phone has 12 to 50 million. */
export const MAX_PIXELS = 50_000_000;

/** In pixels: the longer side of what is kept, the same of a page, and both of the list (40 px on a fine screen). */
export const KEPT_EDGE = 4_096;
export const PAGE_EDGE = 1_600;
export const LIST_EDGE = 80;

export interface Task {
  readonly bytes: Uint8Array;
  readonly format: PictureFormat;
}

/** A JPEG. */
export interface MadePicture {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

export interface MadePictures {
  /** What takes the place of the file that was sent. */
  readonly kept: MadePicture;
  readonly page: MadePicture;
  readonly list: MadePicture;
}

export type Answer =
  | { readonly made: MadePictures }
  | {
      readonly failure: {
        /** For the log: "it is animated". */
        readonly reason: string;
        /** Whether the process ends now. */
        readonly isFatal: boolean;
      };
    };
