/** All handlers of the application by name, each built from its models. The routes are in router.ts. */
import { createAccountController } from './accounts/account-controller.ts';
import { createAccountSessionController } from './accounts/account-sessions.ts';
import { createAuthenticate } from './accounts/authenticate.ts';
import { createCompleteLogIn } from './accounts/complete-log-in.ts';
import { logAttempts } from './accounts/log-attempts.ts';
import { createLogInController } from './accounts/log-in.ts';
import { createPeopleController } from './accounts/people-controller.ts';
import { createPersonController } from './accounts/person-controller.ts';
import { createRegistrationController } from './accounts/registration.ts';
import { createResetController } from './accounts/reset-controller.ts';
import { createWelcome } from './accounts/welcome.ts';
import { createBatchController } from './history/batch-controller.ts';
import { createHistoryController } from './history/history-controller.ts';
import { createRemoveController } from './history/remove-controller.ts';
import { createImportController, type ImportProgress } from './imports/import-controller.ts';
import { createItemController } from './items/controller.ts';
import { createEditController } from './items/edit-controller.ts';
import { createExportController } from './items/export-controller.ts';
import { createFacetController } from './items/facet-controller.ts';
import { createFiltersController } from './items/filters-controller.ts';
import { createLendController } from './items/lend-controller.ts';
import { createQuantityController } from './items/quantity-controller.ts';
import { createSelectionController } from './items/selection-controller.ts';
import { createShowItem } from './items/show-item.ts';
import { createSuggestions } from './items/suggestions.ts';
import type { Models } from './models.ts';
import type { Config } from './process/config.ts';
import type { LogSecurity } from './process/security-log.ts';
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
}

export function createHandlers(parts: HandlerParts) {
  const { config, models, health, logSecurity, now, importRunner } = parts;
  const { accounts, batches, devices, endSessions, exportItems, facetList, history, imports } =
    models;
  const { invitations, items, people, resetLinks, sessions, throttle } = models;
  const { publicOrigin, registration, readers } = config;
  const welcome = createWelcome({ accounts, registration, readers });
  const showing = createShowItem(items, history, now);
  const { showMissingItem } = showing;
  const suggest = createSuggestions(facetList, items);
  const itemParts = { items, history, batches, showMissingItem };
  const authenticate = logAttempts(
    createAuthenticate({ accounts, devices, throttle }),
    accounts,
    logSecurity,
  );
  const completeLogIn = createCompleteLogIn(devices, accounts);
  const loggingIn = { authenticate, completeLogIn, logSecurity };
  const registering = createRegistrationController({
    ...loggingIn,
    accounts,
    invitations,
    registration,
    readers,
  });
  const { openTo } = registering;
  const managing = { people, invitations, resetLinks, publicOrigin, logSecurity };
  return {
    ...createItemController({ items, now, welcome, suggest }),
    ...createFiltersController(facetList),
    ...showing,
    ...createEditController({ ...itemParts, suggest }),
    ...createQuantityController(items, showMissingItem),
    ...createLendController({ items, people, showMissingItem, now }),
    ...createHistoryController(itemParts),
    ...createBatchController({ ...itemParts, undoRest: models.undoRest }),
    ...createRemoveController({ ...itemParts, logSecurity }),
    ...createSelectionController(items, suggest),
    ...createFacetController(facetList, suggest),
    ...createExportController(exportItems),
    ...createImportController(imports, now, importRunner),
    ...registering,
    ...createLogInController({ ...loggingIn, openTo, readers }),
    ...createAccountController({ accounts, sessions, authenticate, logSecurity, now }),
    ...createAccountSessionController({ sessions, endSessions, authenticate, logSecurity, now }),
    ...createPeopleController(managing),
    ...createPersonController(managing),
    ...createResetController({ ...loggingIn, accounts, resetLinks }),
    ...createHealthController(health),
  };
}
