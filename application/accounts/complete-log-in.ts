/**
 * The last step of every log-in and registration: starts the session, records the device,
 * redirects.
 */
import {
  type Href,
  type Request,
  type Response,
  type StartOptions,
  seeOther,
  startSession,
  withSession,
} from 'seeother';
import { type Account, toSessionUser } from './account.ts';
import type { Devices } from './device.ts';
import { readDevice, withDevice } from './device-cookie.ts';

export type CompleteLogIn = (
  request: Request,
  account: Account,
  path: Href,
  options?: StartOptions,
) => Promise<Response<303>>;

export function createCompleteLogIn(devices: Devices): CompleteLogIn {
  return async (request, account, path, options) => {
    const token = await devices.renew(readDevice(request), account.id);
    const answer = withSession(seeOther(path), startSession(toSessionUser(account), options));
    return withDevice(answer, request, token);
  };
}
