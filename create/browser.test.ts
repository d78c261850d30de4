import assert from 'node:assert/strict';
import { send, showsHeading, story } from '../e2e/browser.ts';
import { clickTwice, overSlowLine } from '../e2e/slow-line.ts';
import { createProject, startProject } from './made-project.ts';

/** A new project of the template, served. */
const open = (template: 'form' | 'app') => () =>
  startProject(createProject(`${template}-in-browser`, '--template', template));

story(
  'the form of a new project counts once, after a double click and when it comes Back',
  overSlowLine(async (page, line) => {
    await page.goto('/');
    assert.equal(await send(page, 'Add note'), 400);
    await page.getByRole('link', { name: 'Write a note' }).waitFor();
    await page.goto('/');
    await page.getByLabel('Note').fill('milk');
    await clickTwice(line, page.getByRole('button', { name: 'Add note' }));
    await page.getByRole('listitem').first().waitFor();
    assert.equal(await page.getByRole('listitem').count(), 1);
    await page.goBack({ waitUntil: 'commit' });
    await page.getByRole('listitem').waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Note').inputValue(), 'milk');
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.getByRole('listitem').first().waitFor();
    assert.equal(await page.getByRole('listitem').count(), 1);
  }),
  { open: open('form'), goesBack: true },
);

story(
  'in a new application a visitor registers, adds an item with a double click, and goes Back',
  overSlowLine(async (page, line) => {
    await page.goto('/');
    await page.getByRole('link', { name: 'Add an item' }).click();
    await showsHeading(page, 'Log in');
    await page.getByRole('link', { name: 'Create the first account' }).click();
    await page.getByLabel('Username').fill('Ada');
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
    await page.getByLabel('Password again').fill('correct horse battery');
    await clickTwice(line, page.getByRole('button', { name: 'Create account' }));
    await showsHeading(page, 'Add an item');
    await page.getByLabel('Name').fill('Ladder');
    await clickTwice(line, page.getByRole('button', { name: 'Add item' }));
    await showsHeading(page, 'Ladder');
    await page.goBack({ waitUntil: 'commit' });
    await showsHeading(page, 'Add an item');
    assert.equal(await page.getByLabel('Name').inputValue(), 'Ladder');
    await page.getByRole('button', { name: 'Add item' }).click();
    await showsHeading(page, 'Ladder');
    await page.goto('/');
    assert.equal(await page.getByRole('listitem').count(), 1);
    await page.getByRole('link', { name: 'Ladder' }).click();
    await page.getByRole('link', { name: 'Delete' }).click();
    await clickTwice(line, page.getByRole('button', { name: 'Delete this item' }));
    await page.getByText('The item was deleted.').waitFor();
    await page.getByText('There are no items here.').waitFor();
  }),
  { open: open('app'), goesBack: true },
);
