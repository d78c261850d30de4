/**
 * What each column of another program's export becomes. The headings, in lower case and between commas, are those of
 * its source and documentation in November 2026:
 *
 * - Homebox 0.9 to 0.26: `backend/internal/core/services/reporting/io_row.go` of sysadminsmedia/homebox.
 * - Snipe-IT 6 to 8: `AssetPresenter.php` with `resources/lang/en-US/admin/hardware`, and the custom report of
 *   `ReportsController.php`.
 * - Grocy 3 and 4: the tables of `views/stockoverview.blade.php` and of its products.
 * - InvenTree 0.17 to 1.3: the serializers of parts and of stock items, with the labels that
 *   `data_exporter/mixins.py` makes of them.
 * - Part-DB 1: `docs/usage/import_export.md`.
 * - shelf.nu: `columnsLabelsMap` of its asset index, and the headings of its import.
 */
import type { ColumnUse } from './headings.ts';
import { listWords } from './same-text.ts';
import type { ValueKind } from './value-kinds.ts';

/** A column that is a field of one's own. */
export interface NamedField {
  readonly label: string;
  /** Null for the kind that its cells show. */
  readonly kind: ValueKind | null;
}

export interface ProgramColumn {
  readonly use: ColumnUse | NamedField;
  /** Of two columns with the same use, the lower rank is the better one. */
  readonly rank: number;
}

interface Table {
  readonly uses: { readonly [Use in ColumnUse]?: string };
  /** By the kind, `any` for the one that the cells show, and by the label of the field. */
  readonly fields: {
    readonly [Kind in ValueKind | 'any']?: Readonly<Record<string, string>>;
  };
}

export type FindColumn = (heading: string) => ProgramColumn | null;

function toColumns({ uses, fields }: Table): FindColumn {
  const columns = new Map<string, ProgramColumn>();
  const add = (headings: string, use: ProgramColumn['use']) => {
    for (const [rank, heading] of listWords(headings).entries())
      columns.set(heading, { use, rank });
  };
  for (const [use, headings = ''] of Object.entries(uses)) add(headings, use as ColumnUse);
  for (const [kind, labels] of Object.entries(fields))
    for (const [label, headings] of Object.entries(labels))
      add(headings, { label, kind: kind === 'any' ? null : (kind as ValueKind) });
  return (heading) => columns.get(heading.toLowerCase()) ?? null;
}

export const HOMEBOX = toColumns({
  uses: {
    name: 'hb.name',
    description: 'hb.description',
    quantity: 'hb.quantity',
    minimum: 'hb.low_stock_threshold',
    location: 'hb.location',
    tags: 'hb.tags, hb.labels',
    serial: 'hb.serial_number',
    reference: 'hb.import_ref, hb.asset_id',
    archived: 'hb.archived',
    'in description': 'hb.notes',
    ignore: 'hb.url, hb.parent_import_ref',
  },
  fields: {
    text: {
      Manufacturer: 'hb.manufacturer',
      'Model number': 'hb.model_number',
      'Purchased from': 'hb.purchase_from',
      'Warranty details': 'hb.warranty_details',
      'Sold to': 'hb.sold_to',
      'Sold notes': 'hb.sold_notes',
    },
    money: { 'Purchase price': 'hb.purchase_price', 'Sold price': 'hb.sold_price' },
    date: {
      'Purchase date': 'hb.purchase_date, hb.purchase_time',
      'Warranty expires': 'hb.warranty_expires',
      'Sold date': 'hb.sold_date, hb.sold_time',
    },
    'yes or no': { Insured: 'hb.insured', 'Lifetime warranty': 'hb.lifetime_warranty' },
  },
});

export const SNIPE_IT = toColumns({
  uses: {
    name: 'asset name',
    description: 'notes',
    location: 'location',
    tags: 'category',
    serial: 'serial',
    reference: 'asset tag',
    'lent to': 'checked out to, checked out',
    'lent until': 'expected checkin date, expected checkin',
    'lent at': 'checkout date, last checkout',
    ignore: `
      id, device image, checkin/checkout, in/out, checkouts, checkins, requests, actions, age, created at, updated at,
      deleted`,
  },
  fields: {
    text: {
      Model: 'model',
      'Model number': 'model no., model number',
      Manufacturer: 'manufacturer',
      Supplier: 'supplier',
      Company: 'company',
      'Employee number': 'employee no.',
      'Default location': 'default location',
      'Order number': 'order number',
    },
    money: { 'Purchase cost': 'purchase cost, cost', 'Current value': 'current value, value' },
    date: {
      'Purchase date': 'purchase date, purchased',
      'End of life': 'eol, eol date',
      'Warranty expires': 'warranty expires',
      'Last audit': 'last audit',
      'Next audit': 'next audit date',
    },
    'yes or no': { BYOD: 'byod' },
    any: { Status: 'status', Warranty: 'warranty' },
  },
});

export const GROCY = toColumns({
  uses: {
    name: 'product, name',
    description: 'description',
    quantity: 'amount',
    minimum: 'min. stock amount, min stock amount',
    location: 'location, default location',
    tags: 'product group',
    'in description': 'note, barcodes',
    ignore: 'hidden location, hidden status, hidden product group',
  },
  fields: {
    text: {
      'Parent product': 'parent product',
      'Default store': 'default store',
      Store: 'store',
      Unit: 'quantity unit stock, qu stock',
      'Unit of purchase': 'qu purchase',
    },
    money: { Value: 'value', 'Last price': 'last price', 'Average price': 'average price' },
    date: {
      'Next due date': 'next due date, next best before date',
      'Due date': 'due date, best before date',
      'Last purchased': 'last purchased',
      Purchased: 'purchased date',
    },
    number: { Calories: 'calories, calories (kcal)' },
  },
});

export const INVENTREE_STOCK = toColumns({
  uses: {
    name: 'part.name',
    description: 'part.description',
    quantity: 'quantity',
    location: 'location.path, location.pathstring',
    serial: 'serial number',
    reference: 'id',
    'in description': 'notes',
    ignore: `
      location.name, part, location, installed in, build, consumed by, customer, delete on deplete, in stock,
      is building, owner, parent item, source purchase order, purchase order, destination sales order, sales order,
      status key, status, status custom key, custom status key, supplier part, barcode hash, last updated, updated,
      allocated quantity, allocated, expired, stale, installed items, child items, tracking items, serial numbers,
      purchase price currency, currency, part.minimum price, part.maximum price`,
  },
  fields: {
    text: {
      IPN: 'part.ipn',
      Revision: 'part.revision',
      'Batch code': 'batch code',
      Packaging: 'packaging',
      SKU: 'sku, supplier part.sku',
      MPN: 'mpn, supplier part.mpn',
    },
    link: { Link: 'external link' },
    date: { 'Expiry date': 'expiry date', Stocktake: 'stocktake date' },
    money: { 'Purchase price': 'purchase price' },
    any: { Status: 'status text' },
  },
});

export const INVENTREE_PARTS = toColumns({
  uses: {
    name: 'name',
    description: 'description',
    quantity: 'total stock, in stock',
    minimum: 'minimum stock',
    tags: 'category name, category.name',
    reference: 'id',
    'in description': 'notes',
    ignore: `
      category, default location, barcode hash, full name, creation user, default supplier, image, thumbnail,
      last stocktake, locked, starred, variant of, responsible, allocated to build orders, building,
      allocated to sales orders, category default location, on order, required for build orders,
      required for sales orders, stock items, suppliers, external stock, pricing updated, unallocated stock,
      variant stock, default expiry`,
  },
  fields: {
    text: { IPN: 'ipn', Revision: 'revision', Keywords: 'keywords', Units: 'units' },
    link: { Link: 'link' },
    'yes or no': {
      Active: 'active',
      Assembly: 'assembly',
      Component: 'component',
      Template: 'is template',
      Purchaseable: 'purchaseable',
      Salable: 'salable',
      Trackable: 'trackable',
      Virtual: 'virtual',
    },
    date: { Created: 'creation date' },
    money: {
      'Minimum price': 'minimum price, pricing min',
      'Maximum price': 'maximum price, pricing max',
    },
  },
});

export const PART_DB = toColumns({
  uses: {
    name: 'name',
    description: 'description',
    quantity: 'quantity, amount, instock',
    minimum: 'minamount',
    location: 'storage_location, storelocation',
    tags: 'tags',
    reference: 'id',
    'in description': 'notes, comment',
  },
  fields: {
    text: {
      IPN: 'ipn',
      MPN: 'mpn, manufacturer_product_number',
      Manufacturer: 'manufacturer',
      Footprint: 'footprint',
      Unit: 'partunit',
      Supplier: 'supplier',
      'Supplier part number': 'spn, supplier_product_number, supplier_part_number',
    },
    link: { 'Product page': 'manufacturer_product_url' },
    'yes or no': { Favorite: 'favorite', 'Needs review': 'needs_review' },
    number: { Mass: 'mass' },
    money: { Price: 'price' },
    any: { Category: 'category', 'Manufacturing status': 'manufacturing_status' },
  },
});

export const SHELF = toColumns({
  uses: {
    name: 'name, title',
    description: 'description',
    quantity: 'quantity',
    minimum: 'min quantity',
    location: 'location',
    tags: 'tags',
    serial: 'serial number, serial',
    reference: 'asset id',
    'lent to': 'custody, custodian',
    code: 'ean-13',
    'in description': 'qr id, code128, code39, datamatrix, external qr',
    ignore: `
      id, upcoming reminder, upcoming bookings, actions, created at, updated at, total value, imageurl`,
  },
  fields: {
    text: { Kit: 'kit', 'Asset model': 'asset model' },
    money: { Value: 'value, valuation' },
    'yes or no': { 'Available to book': 'available to book, bookable' },
    any: { Status: 'status', Category: 'category', 'Tracking method': 'tracking method' },
  },
});
