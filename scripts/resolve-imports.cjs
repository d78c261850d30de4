/**
 * Resolves the imports of ES modules, which takes Node a third of a start's CPU. A relative import names its file
 * exactly, and files of one folder with one ending have one format; Node would follow links and read the nearest
 * package.json for each import. The name of a package leads to the same file for all modules of a folder. A file
 * that does not exist is left to Node, whose error names the importing file.
 */
const { existsSync } = require('node:fs');
const { registerHooks } = require('node:module');
const { extname } = require('node:path');

/** What Node has resolved: by folder and ending, or by folder and name of a package. */
const formats = new Map();
const packages = new Map();
const existing = new Set();

const folderOf = (url) => url.slice(0, url.lastIndexOf('/') + 1);

registerHooks({
  resolve(specifier, context, next) {
    const { conditions, parentURL } = context;
    if (parentURL === undefined || !conditions.includes('import')) return next(specifier, context);
    if (!/^\.\.?\//.test(specifier)) {
      const name = folderOf(parentURL) + specifier;
      const known = packages.get(name) ?? { ...next(specifier, context), shortCircuit: true };
      packages.set(name, known);
      return known;
    }
    const url = new URL(specifier, parentURL);
    const { href } = url;
    const kind = folderOf(href) + extname(href);
    const format = formats.get(kind);
    if (format !== undefined && (existing.has(href) || existsSync(url))) {
      existing.add(href);
      return { url: href, format, shortCircuit: true };
    }
    const found = next(specifier, context);
    if (found.url === href && found.format) formats.set(kind, found.format);
    return found;
  },
});
