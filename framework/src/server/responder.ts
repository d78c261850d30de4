/**
 * Answers a node:http message with what the application answers to its request. Shared by `serve`, which
 * owns its connections, and `toNodeListener`, whose host does.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { closeStream, type Response } from '../http/response.ts';
import { type Application, answerError, bareAnswer } from './application.ts';
import type { Peer, Trust } from './forwarded.ts';
import type { MessageBody } from './message-body.ts';
import { findFlaw } from './message-flaw.ts';
import { readRequest } from './read-request.ts';
import { writeResponse } from './write-response.ts';

export interface Answer {
  readonly out: ServerResponse;
  readonly body: MessageBody;
  readonly response: Response;
}

export interface Exchange {
  readonly message: IncomingMessage;
  readonly out: ServerResponse;
  readonly body: MessageBody;
}

export interface ResponderOptions {
  readonly trust: Trust;
  readonly report: (error: unknown) => void;
  /** Whether every answer closes its connection from now on. */
  readonly isStopping: () => boolean;
  /** Sends an answer to a request without a body, now or together with others. */
  readonly post: (answer: Answer) => void;
}

export interface Responder {
  readonly respond: (peer: Peer, exchange: Exchange) => void;
  readonly send: (answer: Answer) => void;
  readonly fail: (out: ServerResponse, body: MessageBody, error: unknown) => void;
}

export function createResponder(
  application: Application,
  { trust, report, isStopping, post }: ResponderOptions,
): Responder {
  function respond(peer: Peer, { message, out, body }: Exchange): void {
    try {
      const request = readRequest(message, body.chunks, peer, trust);
      const flaw = findFlaw(message, request.scheme);
      if (flaw !== null) {
        refuse(out, flaw);
        return;
      }
      const answer = application.handle(request);
      // A synchronous answer needs no promise.
      if (!(answer instanceof Promise)) answerWith({ out, body, response: answer });
      else {
        answer.then(
          (response) => answerWith({ out, body, response }),
          (error) => fail(out, body, error),
        );
      }
    } catch (error) {
      fail(out, body, error);
    }
  }

  /** Decides now what to do with the rest of the body, before more of it arrives. */
  function answerWith(answer: Answer): void {
    if (answer.body.chunks === null) post(answer);
    else send(answer);
  }

  function send({ out, body, response }: Answer): void {
    if (out.destroyed) {
      closeStream(response);
      return;
    }
    const leftover = body.hasLeftover();
    try {
      const sent = writeResponse(out, response, {
        close: isStopping() || leftover,
        beforeEnd: leftover ? body.discard : null,
      });
      sent?.catch((error) => {
        report(error);
        out.destroy();
      });
    } catch (error) {
      fail(out, body, error);
    }
  }

  function fail(out: ServerResponse, body: MessageBody, error: unknown): void {
    const response = answerError(error, report);
    if (out.headersSent) out.destroy();
    else send({ out, body, response });
  }

  return { respond, send, fail };
}

export function refuse(
  out: ServerResponse,
  flaw: { readonly status: number; readonly reason: string },
): void {
  writeResponse(out, bareAnswer(`${flaw.reason}\n`, flaw.status), { close: true, beforeEnd: null });
}
