/**
 * What each column of another program's export becomes. The headings, in lower case and between commas, are those of
 * its source in November 2026; docs/application/csv.md says which versions:
 *
 * - Homebox: `backend/internal/core/services/reporting/io_row.go` of sysadminsmedia/homebox.
 * - Snipe-IT: `AssetPresenter.php` with `resources/lang/en-US/admin/hardware`, and the custom report of
 *   `ReportsController.php`.
 * - Grocy: the tables of `views/stockoverview`, `views/stockentries` and `views/products`.
 * - InvenTree: the serializers of parts and of stock items, with the labels that `data_exporter/mixins.py` makes of
 *   them.
 * - Part-DB: `docs/usage/import_export.md`, and the groups `simple`, `extended` and `full` of `src/Entity/Parts`, which
 *   its CSV joins with dots.
 * - shelf.nu: `columnsLabelsMap` of its asset index, and `CORE_IMPORT_FIELDS` of its import-ready export.
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
    // Of its zip: see zip/homebox-zip.ts.
    photos: 'hb.photos',
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
    'in description': `
      address, city, state, country, zip, username, user company, email, manager, department, title, phone, user address,
      user city, user state, user country, user zip, target notes, user notes`,
    ignore: `
      id, device image, checkin/checkout, in/out, checkouts, checkins, requests, actions, age, created at, updated at,
      deleted, type, diff, last checkin date, url, image`,
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
      'End of life': 'eol date, eol',
      'Warranty expires': 'warranty expires',
      'Last audit': 'last audit',
      'Next audit': 'next audit date',
      'Fully depreciated': 'fully depreciated',
    },
    'yes or no': { BYOD: 'byod' },
    any: { Status: 'status', Warranty: 'warranty', 'EOL rate': 'eol rate' },
  },
});

export const GROCY = toColumns({
  uses: {
    name: 'product, name',
    description: 'product description, description',
    quantity: 'amount',
    minimum: 'min. stock amount, min stock amount',
    location: 'location, default location',
    tags: 'product group',
    'in description': 'note, barcodes',
    ignore: `
      hidden location, hidden status, hidden product group, hidden product_id, hidden purchased_date, product picture,
      grocycode, timestamp`,
  },
  fields: {
    text: {
      'Parent product': 'parent product',
      'Default store': 'default store',
      Store: 'store',
      Unit: 'quantity unit stock, qu stock',
      'Unit of purchase': 'default quantity unit purchase, qu purchase',
    },
    money: {
      Value: 'value',
      Price: 'price',
      'Last price': 'last price',
      'Average price': 'average price',
    },
    date: {
      'Next due date': 'next due date, next best before date',
      'Due date': 'due date, best before date',
      'Last purchased': 'last purchased',
      Purchased: 'purchased date',
    },
    number: {
      Calories: 'calories, calories (kcal), kcal (per stock quantity unit)',
      Energy: 'kj (per stock quantity unit)',
    },
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
      is building, owner, parent item, source purchase order, purchase order, purchase order reference,
      destination sales order, sales order, sales order reference, status key, status custom key, custom status key, supplier part, barcode hash, last updated, updated,
      allocated quantity, allocated, expired, stale, installed items, child items, tracking items, serial numbers,
      purchase price currency, currency, part.minimum price, part.maximum price, part.pricing min, part.pricing max`,
  },
  fields: {
    text: {
      IPN: 'part.ipn',
      Revision: 'part.revision',
      'Batch code': 'batch code',
      Packaging: 'packaging',
      SKU: 'sku, supplier part number, supplier part.sku, supplier part.supplier part number',
      MPN: 'mpn, manufacturer part number, supplier part.mpn, supplier part.manufacturer part number',
    },
    link: { Link: 'external link' },
    date: { 'Expiry date': 'expiry date', Stocktake: 'stocktake date' },
    money: { 'Purchase price': 'purchase price' },
    // Two columns: the key of the status, which is a number, and its text. Some releases call both “Status”.
    choice: { Status: 'status text, status' },
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
    quantity: 'quantity, amount, instock, total_instock, partlots.0.amount',
    minimum: 'minamount',
    location: 'storage_location, storelocation, partlots.0.storage_location.full_name',
    tags: 'tags',
    code: 'gtin',
    reference: 'id',
    'in description': 'notes, comment, partlots.0.description',
    ignore: `
      category.name, footprint.name, manufacturer.name, partunit.name, partunit.unit, partunit.integer, partunit.is_integer,
      partunit.use_si_prefix, partcustomstate.name, partlots, partlots.0.storage_location,
      partlots.0.storage_location.name, partlots.0.instock_unknown, partlots.0.needs_refill,
      partlots.0.last_stocktake_at, orderdetails, orderdetails.0.obsolete, orderdetails.0.supplier.name,
      orderdetails.0.prices_includes_vat, lastmodified, addeddate, eda_info.visibility, eda_info.exclude_from_bom,
      eda_info.exclude_from_board, eda_info.exclude_from_sim`,
  },
  fields: {
    text: {
      IPN: 'ipn',
      MPN: 'mpn, manufacturer_product_number',
      Manufacturer: 'manufacturer, manufacturer.full_name',
      Footprint: 'footprint, footprint.full_name',
      Unit: 'partunit, partunit.full_name',
      Supplier: 'supplier, orderdetails.0.supplier, orderdetails.0.supplier.full_name',
      'Supplier part number':
        'spn, supplier_product_number, supplier_part_number, orderdetails.0.supplierpartnr',
      State: 'partcustomstate, partcustomstate.full_name',
      'Reference prefix': 'eda_info.reference_prefix, eda_reference_prefix, kicad_reference',
      'EDA value': 'eda_info.value, eda_value, kicad_value',
      'KiCad symbol': 'eda_info.kicad_symbol, eda_kicad_symbol, kicad_symbol',
      'KiCad footprint': 'eda_info.kicad_footprint, eda_kicad_footprint, kicad_footprint',
    },
    link: { 'Product page': 'manufacturer_product_url' },
    'yes or no': { Favorite: 'favorite', 'Needs review': 'needs_review' },
    number: { Mass: 'mass' },
    date: { 'Expiration date': 'partlots.0.expiration_date' },
    money: { Price: 'price, orderdetails.0.pricedetails.0.price' },
    any: {
      Category: 'category, category.full_name',
      'Manufacturing status': 'manufacturing_status',
    },
  },
});

export const SHELF = toColumns({
  uses: {
    name: 'name, title',
    description: 'description',
    quantity: 'quantity',
    minimum: 'min quantity, minquantity',
    location: 'location',
    tags: 'tags',
    serial: 'serial number, serial',
    reference: 'asset id',
    'lent to': 'custody, custodian',
    code: 'ean-13, barcode_ean13',
    'in description': `
      qr id, qrid, code128, code39, datamatrix, external qr, barcode_code128, barcode_code39, barcode_datamatrix,
      barcode_externalqr`,
    ignore: `
      id, upcoming reminder, upcoming bookings, actions, created at, updated at, total value, imageurl`,
  },
  fields: {
    text: { Kit: 'kit', 'Asset model': 'asset model, assetmodel', Unit: 'unitofmeasure' },
    money: { Value: 'value, valuation' },
    'yes or no': { 'Available to book': 'available to book, bookable' },
    any: {
      Status: 'status',
      Category: 'category',
      'Tracking method': 'tracking method, type',
      'Consumption type': 'consumptiontype',
    },
  },
});
