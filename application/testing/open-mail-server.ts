/** A mail server for tests: it collects the mails that it has accepted. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail {
  readonly from: string;
  /** Of the envelope. */
  readonly to: readonly string[];
  /** By its name in lower case; a header that is repeated is an error. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded. */
  readonly body: string;
}

export interface MailServer {
  readonly port: number;
  readonly mails: readonly ReceivedMail[];
  /** `away` refuses every mail, and `forgetful` accepts it and answers that it did not. */
  state: 'up' | 'away' | 'forgetful';
}

/** Without options: no authentication and no encryption. */
export async function openMailServer(
  t: Pick<TestContext, 'after'>,
  options: SMTPServerOptions = { authOptional: true, disabledCommands: ['STARTTLS', 'AUTH'] },
): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const opened: { state: MailServer['state'] } = { state: 'up' };
  const server = new SMTPServer({
    ...options,
    onMailFrom: (_address, _session, answer) =>
      answer(opened.state === 'away' ? new Error('Try again later') : null),
    async onData(stream, { envelope }, answer) {
      const mail = await text(stream);
      const { mailFrom } = envelope;
      const from = mailFrom === false ? '' : mailFrom.address;
      mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), ...parse(mail) });
      answer(opened.state === 'forgetful' ? new Error('The disk is slow') : null);
    },
  });
  // A client that does not like the certificate ends its connection.
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  t.after(() => new Promise<void>((resolve) => server.close(resolve)));
  const { port } = server.server.address() as AddressInfo;
  return Object.assign(opened, { port, mails });
}

function parse(mail: string): Pick<ReceivedMail, 'headers' | 'body'> {
  const end = mail.indexOf('\r\n\r\n');
  const lines = mail
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name = '', value = ''] = /^([\w-]+): (.*)$/.exec(line) ?? [];
    if (name === '' || name.toLowerCase() in headers) throw new Error(`A header is wrong: ${line}`);
    headers[name.toLowerCase()] = value;
  }
  const body = mail.slice(end + 4);
  const coding = headers['content-transfer-encoding'];
  return { headers, body: decode(body, coding).replaceAll('\r\n', '\n') };
}

function decode(body: string, coding: string | undefined): string {
  if (coding === 'base64') return Buffer.from(body, 'base64').toString();
  if (coding !== 'quoted-printable') return body;
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([\dA-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
