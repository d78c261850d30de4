/** A zip as programs write it, and as those who attack others do. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZippedFile {
  readonly path: string | Uint8Array;
  readonly content: string | Uint8Array;
  /** 8, deflated, by default; 0 is stored. */
  readonly method?: number;
  /** General purpose bits; by default the name is UTF-8. */
  readonly flags?: number;
  /** Of Unix, such as `0o120777` of a symbolic link. */
  readonly mode?: number;
  /** Another size or checksum than the content has. */
  readonly size?: number;
  readonly checksum?: number;
  /** The bytes of an earlier file are those of this one, too. */
  readonly sharesBytes?: boolean;
  /** Sizes and offset are in the extra field for large files. */
  readonly isZip64?: boolean;
}

export function makeZip(files: readonly ZippedFile[], { entryCount = files.length } = {}): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  let last = 0;
  for (const file of files) {
    const { content, method = 8, flags = 0x800, mode = 0o100_644, sharesBytes = false } = file;
    const path = Buffer.from(file.path as string);
    const bytes = Buffer.from(content as string);
    const packed = method === 8 ? deflateRawSync(bytes) : bytes;
    const [size, checksum] = [file.size ?? bytes.length, file.checksum ?? crc32(bytes)];
    const at = sharesBytes ? last : offset;
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(20, 4);
    local.writeUInt16LE(flags, 6);
    local.writeUInt16LE(method, 8);
    local.writeUInt32LE(checksum, 14);
    local.writeUInt32LE(packed.length, 18);
    local.writeUInt32LE(size, 22);
    local.writeUInt16LE(path.length, 26);
    if (!sharesBytes) {
      locals.push(local, path, packed);
      last = offset;
      offset += 30 + path.length + packed.length;
    }
    const extra = Buffer.alloc(file.isZip64 ? 28 : 0);
    if (file.isZip64) {
      extra.writeUInt16LE(1, 0);
      extra.writeUInt16LE(24, 2);
      for (const [index, value] of [size, packed.length, at].entries())
        extra.writeBigUInt64LE(BigInt(value), 4 + index * 8);
    }
    const entry = Buffer.alloc(46);
    const large = 0xffffffff;
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(0x0314, 4);
    entry.writeUInt16LE(20, 6);
    entry.writeUInt16LE(flags, 8);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(checksum, 16);
    entry.writeUInt32LE(file.isZip64 ? large : packed.length, 20);
    entry.writeUInt32LE(file.isZip64 ? large : size, 24);
    entry.writeUInt16LE(path.length, 28);
    entry.writeUInt16LE(extra.length, 30);
    entry.writeUInt32LE(mode * 0x10000, 38);
    entry.writeUInt32LE(file.isZip64 ? large : at, 42);
    directory.push(entry, path, extra);
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entryCount, 8);
  end.writeUInt16LE(entryCount, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, central, end]);
}
