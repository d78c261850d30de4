/** Below a list without anything of the team's own. The form is of one user, so no cached fragment has it. */
import { formTag, type Html, html } from 'seeother';
import { href, selectAction } from '../../links.ts';
import { openButton } from '../../site/button-form.ts';
import { formatCount, toDay } from '../../site/format.ts';
import { mayChangeItems, seesLinksToRemove, type Viewer } from '../../site/layout.ts';
import { writeTicked } from '../ticked-numbers.ts';

export interface Beginning {
  /** Whether there is no item at all. */
  readonly isEmpty: boolean;
  /** The numbers of the samples, if there is nothing else and nobody has changed one. */
  readonly samples: readonly number[];
}

export function firstSteps(
  { isEmpty, samples }: Beginning,
  viewer: Viewer,
  now: Date,
): Html | null {
  if (samples.length > 0 && mayChangeItems(viewer)) return samplesNotice(samples, viewer, now);
  if (!isEmpty || !seesLinksToRemove(viewer)) return null;
  return html`<p class="empty">You are an administrator: <a href="${href('/people')}">invite the others</a>.</p>`;
}

/** The form of the page of items to select: so the samples are one batch of the history, with one Undo. */
function samplesNotice(samples: readonly number[], viewer: Viewer, now: Date): Html {
  const made = { day: toDay(now), seen: now.toISOString() };
  const fields = html`<input type="hidden" name="ticked" value="${writeTicked(samples)}"><button class="quiet" name="button" value="delete">Remove the samples</button>`;
  return html`<div class="notice">
<p>${samples.length === 1 ? 'This is a sample' : `These are ${formatCount(samples.length, 'sample', 'samples')}`}, to show how a list looks. <a href="${href('/items/new')}">Add the first item of your own</a>, or <a href="${href('/items/import')}">import a CSV file</a>.</p>
${formTag(openButton(viewer), fields, { action: selectAction({}, 1, 1, made) })}
</div>`;
}
