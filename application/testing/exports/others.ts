/** Small exports of Grocy, InvenTree, Part-DB, shelf.nu and Snipe-IT, with the headings of their sources. */
import { toCsv } from './make-random.ts';

/** The rows of a table with these cells by their headings; the others are empty. */
function toRows(
  headings: readonly string[],
  things: readonly Readonly<Record<string, string>>[],
): readonly (readonly string[])[] {
  return [headings, ...things.map((cells) => headings.map((heading) => cells[heading] ?? ''))];
}

function words(list: string): readonly string[] {
  return list.split(',').map((word) => word.trim());
}

/** The table of the stock overview of 4.6, as people copy it. */
export const GROCY = toCsv(
  toRows(
    words(`
      Product, Product group, Amount, Value, Next due date, kcal (Per stock quantity unit), Last purchased, Last price,
      Min. stock amount, Product description, Parent product, Default location, Product picture, Average price,
      Default store`),
    [
      {
        ...{ Product: 'Mehl', 'Product group': 'Backen', Amount: '3 Packs', Value: '4.50' },
        ...{ 'Next due date': '2027-01-31', 'Last purchased': '2026-10-02' },
        ...{ 'Default location': 'Pantry', 'Product description': 'Type 550' },
      },
      { Product: 'Olive oil', Amount: '1 Bottle', Value: '0', 'Default location': 'Kitchen' },
      {
        ...{ Product: 'Batteries AA', 'Product group': 'Household', Amount: '0.5 Pack' },
        ...{ Value: '12.99', 'Next due date': '2999-12-31', 'Last purchased': '2026-01-05' },
        ...{ 'Default location': 'Cellar', 'Min. stock amount': '2' },
      },
    ],
  ),
);

/** The stock of a release that calls both the key and the text of a status “Status”. */
export const INVENTREE_STOCK = toCsv([
  words(`
    ID, Part, Quantity, Serial Number, Batch Code, Location, Status, Status, Supplier Part Number,
    Manufacturer Part Number, Purchase Price, Purchase order reference, Part.Name, Part.Ipn, Location.Path`),
  ...[
    ['1', '4', '12.00000', '', '', '7', '10', 'OK', 'C25744', 'RC0402', '0.0100', 'PO-1'],
    ['2', '4', '1.00000', 'S1', 'B-1', '7', '55', 'Damaged', '', '', '', ''],
  ].map((row, at) => [...row, `R_${at}`, `RES-${at}`, 'Workshop/Drawer A']),
]);

export const INVENTREE_PARTS = toCsv(
  [
    [
      'ID',
      'Name',
      'IPN',
      'Description',
      'Revision',
      'Keywords',
      'Category',
      'Category Name',
      'Default Location',
    ],
    ['1', 'R_10K', 'RES-1', '10k 1%', '', 'smd', '4', 'Resistors', '7'],
    ['2', 'Heizbett', '', '24 V', 'B', '', '5', 'Printer', ''],
  ].map((row, at) => [
    ...row,
    ...([
      ['Units', 'Active', 'Minimum Stock', 'Total Stock', 'Link'],
      ['', 'True', '100', '5000', ''],
      ['pcs', 'False', '0', '2', 'https://heat.example'],
    ][at] ?? []),
  ]),
);

/** As in `part_import_example.csv` of 2.15. */
export const PART_DB = toCsv(
  toRows(
    words(`
      name, description, category, notes, footprint, tags, quantity, storage_location, mass, ipn, mpn,
      manufacturing_status, manufacturer, supplier, spn, price, favorite, needs_review, minamount, partUnit,
      eda_info.reference_prefix, eda_info.value, eda_info.visibility, eda_info.exclude_from_bom,
      eda_info.exclude_from_board, eda_info.exclude_from_sim, eda_info.kicad_symbol, eda_info.kicad_footprint`),
    [
      {
        ...{ name: 'BC547', description: 'NPN transistor', category: 'Transistors -> NPN' },
        ...{ notes: 'very important', footprint: 'TO -> TO-92', tags: 'NPN,Transistor' },
        ...{ quantity: '5', storage_location: 'Room 1->Shelf 1->Box 2', mass: '10' },
        ...{ manufacturer: 'Onsemi', price: '2,3', favorite: '0', minamount: '20' },
        'eda_info.kicad_symbol': 'Device:Q',
      },
      {
        ...{ name: 'Copper wire', category: 'Wire', ipn: 'INT-12', price: '1,25', favorite: '1' },
        ...{ needs_review: '1', partUnit: 'Meter' },
      },
    ],
  ),
  ';',
);

/** What 2.15 exports at the level `extended`: a part with two lots makes columns for both. */
export const PART_DB_EXPORT = toCsv(
  toRows(
    words(`
      name, description, comment, favorite, category.name, category.full_name, footprint, footprint.name,
      footprint.full_name, partLots.0.description, partLots.0.expiration_date, partLots.0.storage_location.name,
      partLots.0.storage_location.full_name, partLots.0.instock_unknown, partLots.0.amount, partLots.0.needs_refill,
      partLots.1.storage_location.full_name, partLots.1.amount, minamount, partUnit, total_instock, needs_review,
      tags, mass, ipn, partCustomState, gtin, manufacturer.name, manufacturer.full_name, manufacturer_product_number,
      manufacturing_status, orderdetails.0.supplierpartnr, orderdetails.0.obsolete, orderdetails.0.supplier.full_name,
      orderdetails.0.pricedetails.0.price, lastModified, addedDate`),
    [
      {
        ...{ name: 'BC547', 'category.name': 'NPN', 'category.full_name': 'Transistors->NPN' },
        ...{ 'footprint.full_name': 'TO->TO-92', minamount: '20', total_instock: '12' },
        ...{ 'partLots.0.storage_location.full_name': 'Room 1->Shelf 1', 'partLots.0.amount': '5' },
        ...{ 'partLots.1.storage_location.full_name': 'Cellar', 'partLots.1.amount': '7' },
        ...{ 'partLots.0.expiration_date': '2027-01-31T00:00:00+00:00', gtin: '4006381333931' },
        ...{ 'manufacturer.full_name': 'Onsemi', 'orderdetails.0.pricedetails.0.price': '2.30000' },
        ...{ favorite: '0', needs_review: '1', ipn: 'IC-1', lastModified: '2026-01-02' },
      },
      {
        ...{ name: 'Wire', 'category.full_name': 'Wire', total_instock: '3', favorite: '1' },
        ...{ needs_review: '0', 'partLots.0.storage_location.full_name': 'Cellar' },
      },
    ],
  ),
  ';',
);

/** The export of the asset index of 2.1, with its hidden columns and a field of the team. */
export const SHELF = toCsv(
  toRows(
    words(`
      Name, Asset ID, QR ID, Status, Description, Value, Available to book, Created at, Updated at, Category, Tags,
      Location, Kit, Custody, Upcoming Reminder, Upcoming Bookings, Quantity, Tracking method, Asset model,
      Min quantity, Code128, EAN-13, Serial number, Sensor, Total value`),
    [
      {
        ...{ Name: 'Canon R5', 'Asset ID': 'SAM-0001', 'QR ID': 'clx1', Status: 'AVAILABLE' },
        ...{ Description: 'Body', Value: '$3,899.00', 'Available to book': 'Yes' },
        ...{ 'Created at': '1/5/2026, 10:12 AM', Category: 'Cameras', Tags: 'video, photo' },
        ...{ Location: 'Studio A', Kit: 'Kit 1', 'Serial number': 'SN-9', Sensor: 'Full frame' },
        ...{ 'Tracking method': 'Individual', 'Total value': '$3,899.00' },
      },
      {
        ...{ Name: 'Pens', 'Asset ID': 'SAM-0002', 'QR ID': 'clx2', Status: 'CHECKED_OUT' },
        ...{ 'Available to book': 'No', Category: 'Uncategorized', Custody: 'Zoë Brown' },
        ...{ Quantity: '100 boxes', 'Min quantity': '5', 'Tracking method': 'Tracked by quantity' },
      },
    ],
  ),
);

/** Its import-ready export. */
export const SHELF_IMPORT = toCsv(
  toRows(
    [
      ...words(`
        id, title, description, category, kit, tags, location, custodian, bookable, valuation, assetModel, type,
        quantity, minQuantity, unitOfMeasure, consumptionType, barcode_Code128, barcode_EAN13`),
      ...['cf:Serial number,type:TEXT', 'cf:Purchase date,type:DATE', 'cf:Fragile,type:BOOLEAN'],
    ],
    [
      {
        ...{ id: 'clx1', title: 'Canon R5', category: 'Cameras', tags: 'video,photo' },
        ...{ location: 'Studio A', bookable: 'yes', valuation: '3899', type: 'INDIVIDUAL' },
        ...{ 'cf:Serial number,type:TEXT': 'SN-9', 'cf:Purchase date,type:DATE': '2024-02-22' },
        'cf:Fragile,type:BOOLEAN': 'Yes',
      },
      {
        ...{ id: 'clx2', title: 'Pens', custodian: 'Zoë Brown', bookable: 'no', valuation: '2.5' },
        ...{ type: 'QUANTITY_TRACKED', quantity: '500', minQuantity: '50', unitOfMeasure: 'boxes' },
        ...{ consumptionType: 'ONE_WAY', barcode_EAN13: '4006381333931' },
        'cf:Fragile,type:BOOLEAN': 'No',
      },
    ],
  ),
);

/** The custom report of assets of Snipe-IT 8.5 with all its columns, one of them twice, and a deleted asset. */
export const SNIPE_IT_REPORT = toCsv(
  toRows(
    words(`
      ID, Company, Asset Name, Asset Tag, Model, Model No., Category, Manufacturer, Serial, Purchased, Cost, EOL,
      Warranty, Warranty Expires, Current Value, Diff, Fully Depreciated, Order Number, Supplier, Location, Address,
      Address, City, State, Country, Zip, Default Location, Checked Out, Type, Username, Email, Employee No., Manager,
      Department, Title, Phone, User Address, User City, Status, Checkout Date, Last Checkin Date,
      Expected Checkin Date, Created At, Updated At, Deleted, Last Audit, Next Audit Date, Notes, URL, RAM`),
    [
      {
        ...{
          ID: '1',
          'Asset Tag': 'A-1',
          Model: 'ThinkPad T14',
          'Model No.': '21HD',
          RAM: '16 GB',
        },
        ...{ Category: 'Laptop', Manufacturer: 'Lenovo', Serial: 'PF1', Purchased: '2024-03-09' },
        ...{ Cost: '1,299.95', EOL: '2028-03-09', Warranty: '36', 'Current Value': '649.98' },
        ...{ Diff: '649.97', Location: 'Berlin', City: 'Berlin', 'Checked Out': 'Zoë Brown' },
        ...{
          Type: 'user',
          Username: 'zoe',
          Email: 'zoe@example.org',
          Status: 'Deployed (deployed)',
        },
        ...{ 'Checkout Date': '2026-03-02 09:30:00', 'Expected Checkin Date': '2027-01-15' },
        // As it escapes what looks like a formula.
        ...{ Phone: '`+49 30 1234', Notes: '`- worn' },
        URL: 'https://snipe.example/hardware/1',
      },
      {
        ...{ ID: '2', 'Asset Name': 'Beamer', 'Asset Tag': 'A-2', Model: 'EB-L520U' },
        ...{ Category: 'Projector', Status: 'Broken (undeployable)', Cost: '0.00' },
      },
      { ID: '3', 'Asset Tag': 'A-3', Model: 'ThinkPad T14', Deleted: '2026-01-02 10:00:00' },
    ],
  ),
);
