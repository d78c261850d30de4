/** A site whose administrator manages kinds of things and fields, and what one presses there. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { bodyText, hiddenFields, type Visitor } from 'seeother/testing';
import { createMember, createTestApplication } from './create-test-application.ts';
import { formIn } from './form-in.ts';
import { openTestDatabase } from './open-test-database.ts';

export async function openFields(t: TestContext) {
  const database = await openTestDatabase(t);
  const application = await createTestApplication(t, { database });
  const ada = await createMember(application);
  const { definitions } = application.models.items;
  const labels = async () => (await definitions.read()).fields.map(({ label }) => label);
  return { application, database, definitions, ada, labels };
}

/** Presses Undo of the message that the form leads to, or of the first change in the log. */
export async function undo(visitor: Visitor, answer?: Awaited<ReturnType<Visitor['submit']>>) {
  const page = await (answer ? visitor.follow(answer) : visitor.get('/fields/changes'));
  const [markup, path] =
    /<form [^>]*action="([^"]*\/undo)"[^>]*>.*?<\/form>/s.exec(bodyText(page)) ?? [];
  assert.ok(markup !== undefined && path !== undefined, bodyText(page));
  return visitor.post(path, hiddenFields(markup));
}

/** Sends the form of a button on the page. */
export async function press(visitor: Visitor, page: string, button: string) {
  const form = formIn(bodyText(await visitor.get(page)), button);
  return visitor.post(`${page}/${button}`, hiddenFields(form));
}
