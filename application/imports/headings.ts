/**
 * What the headings of people's tables mean, in English, German and French, and in the exports of other programs. The
 * better heading of a field comes first: of “Bezeichnung” and “Artikel”, a table has the name in the first.
 */
import { foldHeading } from 'seeother/tables';
import { COLUMNS } from '../items/export/csv.ts';
import type { ItemField } from '../items/item-fields.ts';
import type { OwnFieldKind } from '../own-fields/own-field.ts';
import { bareText, listWords } from './same-text.ts';

/** A field of one's own: one that exists, and a new one, which the import makes. */
export type FieldUse = `own_${number}` | `new ${OwnFieldKind}`;

/** `number` is the number of an item here; `reference`, what the file itself tells its things apart by. */
export type ColumnUse =
  | ItemField
  | 'number'
  | 'reference'
  /** The name of a thing that has none in the column `name`. */
  | 'other name'
  | 'lent to'
  | 'lent until'
  | 'lent at'
  | 'lent quantity'
  /** Whether the thing is no longer there: its row is left out. */
  | 'archived'
  /** Of an export: what other files call the thing, a line each, and when it was added. */
  | 'references'
  | 'added'
  /** The names of its photos in the zip that was chosen along with the file. */
  | 'photos'
  | 'in description'
  | 'ignore'
  /** A kind of things, by its name. `kinds` makes those that there are not. */
  | 'kind'
  | 'kinds'
  | FieldUse;

/** Null for any use but a new field. */
export function newKindOf(use: string | undefined): OwnFieldKind | null {
  return use?.startsWith('new ') === true ? (use.slice('new '.length) as OwnFieldKind) : null;
}

/** The id of a field that exists; null for any other use. */
export function fieldIdOf(use: string | undefined): number | null {
  const [, id] = /^own_(\d+)$/.exec(use ?? '') ?? [];
  return id === undefined ? null : Number(id);
}

const HEADINGS: Readonly<Record<ItemField, string>> & { readonly [Use in ColumnUse]?: string } = {
  name: `
    name, item name, hb.name, entry name, asset name, product name, article name, bezeichnung, artikelbezeichnung,
    artikelname, produktname, gegenstand, benennung, désignation, nom, nom de l’article, libellé, intitulé, objet,
    item, title, titel, titre, thing, ding, article, artikel, produkt, product, produit, gerät, teil, part, part name,
    material, asset, equipment, matériel, werkzeug, was, what, quoi, model, model name, modell, modèle`,
  description: `
    description, hb.description, beschreibung, notes, hb.notes, note, notizen, notiz, bemerkung, bemerkungen,
    anmerkung, anmerkungen, kommentar, kommentare, remarque, remarques, comment, comments, commentaire, commentaires,
    remark, remarks, hinweis, hinweise, details, détails, observations, info, infos, item description,
    artikelbeschreibung, zusatz, spezifikation, specification`,
  quantity: `
    quantity, hb.quantity, qty, menge, anzahl, stück, stk, stückzahl, bestand, quantité, qté, amount, count, stock,
    in stock, on hand, quantity on hand, lagerbestand, lagermenge, istbestand, ist, aktueller bestand, nombre, nb,
    pieces, pcs, pièces, total, total quantity, how many, wie viele, vorrat, remaining, combien`,
  minimum: `
    minimum, minimum quantity, min, min level, min. qty, minimum stock, min stock, reorder level, reorder point,
    mindestbestand, mindestmenge, meldebestand, minimalbestand, min. bestand, min. menge, sollbestand, soll,
    stock minimum, quantité minimale, quantité minimum, seuil, seuil d’alerte, stock mini, stock min, stock minimal,
    stock d’alerte, par level, low stock level`,
  location: `
    location, hb.location, lagerort, lagerplatz, standort, emplacement, ort, aufbewahrungsort, ablageort, stellplatz,
    place, storage location, storage, lieu, lieu de stockage, localisation, primary folder, folder, default location,
    wo, where, où, platz, lager, room, raum, zimmer, salle, shelf, regal, étagère, rayon, schrank, armoire, cupboard,
    cabinet, fach, box, kiste, bin, schublade, drawer, tiroir, building, gebäude, site`,
  tags: `
    tags, hb.tags, hb.labels, labels, tag, label, schlagworte, schlagwörter, schlagwort, stichworte, stichwörter,
    stichwort, étiquettes, étiquette, mots-clés, mot-clé, keywords, keyword, category, categories, kategorie,
    kategorien, catégorie, catégories, warengruppe, artikelgruppe, produktgruppe, group, gruppe, groupe, type, typ,
    art, famille, classification`,
  // “cf:” is the field that teams of shelf.nu add.
  serial: `
    serial, serial number, hb.serial_number, serial no, serial #, s/n, sn, cf:serial number,
    cf:serial number type:text, seriennummer, seriennr, serien nr, numéro de série, n° de série, no de série`,
  code: `
    product code, ean, upc, gtin, ean code, ean/upc, upc code, upc/ean, ean-13, ean13, gtin-13, upc-a, barcode, bar code,
    barcodes, product barcode, strichcode, barcode nummer, ean-code, ean nummer, produktcode, code-barres, code barre,
    code ean, gencod, code produit`,
  reference: `
    hb.import_ref, import ref, reference, référence, réf, ref, referenz, asset tag, hb.asset_id, asset id,
    inventarnummer, inventarnr, inventar nr, inv. nr, inv nr, inventarcode, numéro d’inventaire, n° d’inventaire,
    n° inventaire, inventory number, inventory no, inventory id, sortly id, sortly id (sid), sid, qr id,
    barcode/qr1-data, sku, artikelnummer, artikelnr, artikel nr,
    art. nr, item number, item no, item id, article number, part number, part no, teilenummer, bestellnummer,
    materialnummer, sachnummer, code article, référence article, n° article, code, nummer, number, nr, no, n°, numéro,
    id`,
  'lent to': `
    lent to, checked out to, assigned to, loaned to, on loan to, borrower, borrowed by, verliehen an, ausgeliehen an,
    entliehen an, entliehen von, verliehen, ausgeliehen, entleiher, ausleiher, prêté à, emprunté par, emprunteur`,
  'lent until': `
    lent until, expected checkin, expected checkin date, due, due date, due back, verliehen bis, ausgeliehen bis,
    entliehen bis, rückgabe, rückgabedatum, rückgabe bis, prêté jusqu’au, retour prévu, date de retour,
    date de retour prévue`,
  'lent at': `
    lent at, lent on, lent since, checkout date, last checkout, verliehen am, verliehen seit, ausgeliehen am,
    ausgeliehen seit, entliehen am, ausleihdatum, prêté le, date de prêt, date d’emprunt`,
  'lent quantity': 'lent quantity, quantity lent, how many lent, anzahl verliehen, quantité prêtée',
  archived: 'hb.archived, archived, archiviert, archivé',
  /** Says nothing about a thing: a running number, or a switch of another program. */
  ignore: `
    lfd. nr, lfd nr, laufende nummer, pos, zeile, ligne, #, hb.insured, hb.lifetime_warranty, hb.url, entry type`,
};

export interface Meaning {
  readonly use: ColumnUse;
  /** Of two headings with the same use, the lower rank is the better one. */
  readonly rank: number;
  /** Whether the whole heading is known, and not just a word of it. */
  readonly isSure: boolean;
}

/** Made for the first import: most processes read none. */
let meanings: ReadonlyMap<string, Meaning> | null = null;

function findMeaning(words: string): Meaning | undefined {
  meanings ??= new Map(
    Object.entries(HEADINGS).flatMap(([use, headings = '']) =>
      listWords(headings).map((heading, rank): [string, Meaning] => [
        foldHeading(heading),
        { use: use as ColumnUse, rank, isSure: true },
      ]),
    ),
  );
  return meanings.get(words);
}

/**
 * Folded headings that mean something else as often: a “number” may be that of a row, a “total” is a price in many
 * tables.
 */
const VAGUE: ReadonlySet<string> = new Set(
  listWords(`
    nummer, number, nr, no, n, numero, id, code, total, art, type, typ, model, modell, modele, ist, soll, was, what,
    quoi, site, box`),
);

/** Null for a heading that is not known. */
export function readHeading(heading: string): Meaning | null {
  // A column of the own export.
  const own = COLUMNS.find((one) => one === bareText(heading));
  if (own !== undefined) return { use: own, rank: 0, isSure: true };
  const words = foldHeading(heading);
  const known = findMeaning(words) ?? findMeaning(foldHeading(heading.replaceAll(/[([].*$/g, '')));
  // What is ignored, people are asked about.
  if (known !== undefined) return { ...known, isSure: known.use !== 'ignore' && !VAGUE.has(words) };
  // “Menge im Lager” tells by its first word what it is, “Aktuelle Menge” by its last one.
  const list = words.split(' ');
  const found = [list[0], list.at(-1)]
    .map((word = '') => findMeaning(word))
    .find((one) => one !== undefined && one.use !== 'ignore');
  return found === undefined ? null : { ...found, rank: found.rank + 1_000, isSure: false };
}
