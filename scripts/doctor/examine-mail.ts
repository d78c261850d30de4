/** Logs in to the mail server, and sends nothing. */
import { openTransport } from '../../application/mail/mailer.ts';
import type { Config } from '../../application/settings/config.ts';
import { bad, type Finding, good } from './finding.ts';

export async function examineMail({ mail }: Config): Promise<readonly Finding[]> {
  if (mail === null) return [];
  const transport = await openTransport(mail);
  const server = new URL(mail.url).host;
  try {
    await transport.verify();
    return [good(`the mail server ${server} lets the service in; it sends as ${mail.from}.`)];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const words = why.replaceAll(/\s*\p{Cc}\s*/gu, ' ').replace(/\.$/, '');
    return [bad(`mails wait, because the mail server ${server} cannot be used: ${words}.`)];
  } finally {
    transport.close();
  }
}
