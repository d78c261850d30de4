/** All handlers of the application by name, each built from its models. The routes are in router.ts. */
import { createWelcome } from './accounts/welcome.ts';
import { createImportController, type ImportProgress } from './imports/import-controller.ts';
import { createAddController } from './items/add/add-controller.ts';
import { createCountController } from './items/count/count-controller.ts';
import { createEditController } from './items/edit/edit-controller.ts';
import { createExportController } from './items/export/export-controller.ts';
import { createPrintController } from './items/export/print-controller.ts';
import { createFacetController } from './items/facets/facet-controller.ts';
import { createFiltersController } from './items/facets/filters-controller.ts';
import { createSuggestions } from './items/facets/suggestions.ts';
import { createFieldsController } from './items/fields/changes-controller.ts';
import { createFieldController } from './items/fields/field-controller.ts';
import { createKindController } from './items/fields/kind-controller.ts';
import { createMergeController } from './items/fields/merge-controller.ts';
import { createOrderController } from './items/fields/order-controller.ts';
import { createFilesController } from './items/files/files-controller.ts';
import type { ItemPictures } from './items/files/item-pictures.ts';
import { createBatchController } from './items/history/batch-controller.ts';
import { createHistoryController } from './items/history/history-controller.ts';
import { createLabelController } from './items/labels/label-controller.ts';
import { createLendController } from './items/lend/lend-controller.ts';
import { createThingsController } from './items/lend-several/things-controller.ts';
import { createListController } from './items/list/list-controller.ts';
import { createListViewController } from './items/list/list-view-controller.ts';
import { createShowMissingItem } from './items/missing/missing-item.ts';
import { createPlaceController } from './items/places/place-controller.ts';
import { createQuantityController } from './items/quantity/quantity-controller.ts';
import { createRemoveController } from './items/remove/remove-controller.ts';
import { createRenameController } from './items/rename/rename-controller.ts';
import { createScanController } from './items/scan/scan-controller.ts';
import { createSelectionController } from './items/select/selection-controller.ts';
import { createSetFieldController } from './items/select/set-field-controller.ts';
import { createItemController } from './items/show/item-controller.ts';
import { createMailController } from './mail/mail-controller.ts';
import type { Mailer } from './mail/mailer.ts';
import type { Models } from './models.ts';
import type { Config } from './settings/config.ts';
import type { LogSecurity } from './settings/security-log.ts';
import { createHealthController, type Health } from './site/health.ts';

export interface HandlerParts {
  readonly config: Config;
  readonly models: Models;
  readonly health: Health;
  readonly logSecurity: LogSecurity;
  /** The clock of the sessions and of the days that the list names. */
  readonly now: () => Date;
  /** Absent where no import runs. */
  readonly importRunner?: ImportProgress | undefined;
  /** Absent where no mail server is set up. */
  readonly mailer?: Mailer | undefined;
  /** Absent where no pictures are made of photos: then they are documents. */
  readonly pictures?: Pick<ItemPictures, 'makeLater'> | undefined;
}

export function createHandlers(parts: HandlerParts) {
  const { config, models, health, logSecurity, now, importRunner, mailer, pictures } = parts;
  const { batches, borrowers, countRecords, exportItems, facetList, history, imports } = models;
  const { items, itemFiles, moveRest, people, places } = models;
  const { publicOrigin, registration, readers } = config;
  const welcome = createWelcome({ people, registration, readers });
  const showMissingItem = createShowMissingItem(items, history);
  const suggest = createSuggestions(facetList, places, items);
  const makeLater = pictures?.makeLater ?? null;
  const itemParts = { items, history, batches, showMissingItem };
  return {
    ...createListController({ items, facetList, places, countRecords, now, welcome }),
    ...createAddController(items, suggest, makeLater),
    ...createListViewController(items),
    ...createFiltersController(facetList),
    ...createItemController({ items, itemFiles, history, showMissingItem, now }),
    ...createEditController({ ...itemParts, suggest, makeLater }),
    ...createFilesController({ items, itemFiles, showMissingItem, makeLater }),
    ...createQuantityController(items, showMissingItem),
    ...createLendController({ items, borrowers, findHeld: models.findHeld, showMissingItem, now }),
    ...createThingsController({ items, borrowers, now }),
    ...createHistoryController({ ...itemParts, teamHistory: models.teamHistory, people, now }),
    ...createBatchController({ ...itemParts, undoRest: models.undoRest, moveRest }),
    ...createRemoveController({ ...itemParts, itemFiles, logSecurity }),
    ...createFieldsController({
      items,
      definitionLog: models.definitionLog,
      undoRest: models.undoRest,
    }),
    ...createFieldController(items),
    ...createKindController(items),
    ...createOrderController(items),
    ...createMergeController({ items, mergeRest: models.mergeRest }),
    ...createSetFieldController(items, suggest),
    ...createSelectionController({ items, suggest, borrowers, now }),
    ...createCountController({ items, countRecords, now }),
    ...createFacetController({ facetList, countRecords, now }),
    ...createRenameController(facetList, suggest),
    ...createPlaceController({
      ...{ places, items, countRecords, moveRest, suggest, makeLater, now },
    }),
    ...createLabelController({
      ...{ items, exportItems, publicOrigin, itemFiles, files: models.files },
      ...{ labelChoices: models.labelChoices, labelledPlaces: models.labelledPlaces },
    }),
    ...createScanController({ findByCode: models.findByCode, suggest, borrowers }),
    ...createExportController({ items, exportItems, findReferences: models.findReferences }),
    ...createPrintController({ items, exportItems, publicOrigin, now }),
    ...createImportController(imports, now, importRunner),
    ...createMailController(mailer),
    ...createHealthController(health),
  };
}
