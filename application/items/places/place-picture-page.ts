/** The form that adds a picture to a place, replaces and removes it. */
import {
  errorSummary,
  type FilledForm,
  type FormError,
  formField,
  formTag,
  formTitle,
  type Html,
  html,
} from 'seeother';
import { changePictureAction, placeHref, placePictureHref } from '../../links.ts';
import { draftNotice } from '../../site/draft-notice.ts';
import { layout, type Viewer } from '../../site/layout.ts';
import { pagePicture } from '../files/file-markup.ts';
import type { PictureFields } from './place-forms.ts';
import type { Place } from './place-model.ts';

export interface PictureView {
  readonly viewer: Viewer;
  readonly place: Place;
  readonly form: FilledForm<PictureFields>;
  readonly errors: readonly FormError<PictureFields>[];
  readonly isDraft: boolean;
}

export function placePicturePage(view: PictureView): Html {
  const { viewer, place, errors, isDraft } = view;
  const { id, path, pictureId } = place;
  // The second time, it is a change of what the page shows now.
  const isConflict = errors.some(({ field }) => field === null);
  const was = `${pictureId ?? ''}`;
  const form = isConflict ? { ...view.form, text: { ...view.form.text, was } } : view.form;
  return layout({
    title: formTitle(`Picture of ${path} – Places`, form),
    viewer,
    section: 'items',
    main: html`${errorSummary(form)}
<p class="back"><a href="${placeHref(id)}">← ${path}</a></p>
<h1>Picture of “${path}”</h1>
${isDraft ? draftNotice(viewer) : null}
${pictureOf(place)}
${formTag(
  form,
  html`${formField(form, 'picture')}
${formField(form, 'was')}
<div class="actions"><button name="button" value="save">Save picture</button> ${pictureId === null ? null : html`<button class="danger" name="button" value="remove">Remove picture</button> `}<a href="${placeHref(id)}">Cancel</a></div>
`,
  { action: changePictureAction(id), class: 'form' },
)}`,
  });
}

/** Of a place that has one: it leads to the largest. */
export function pictureOf({ id, path, picture, pictureId }: Place): Html | null {
  if (picture === null)
    return pictureId === null ? null : html`<p>No picture can be made of the photo.</p>`;
  const { hash } = picture;
  const drawn = pagePicture(
    picture,
    { name: path },
    { toHref: (page) => placePictureHref(id, page) },
  );
  return html`<div class="files"><figure>${hash === null ? drawn : html`<a href="${placePictureHref(id, hash)}" aria-label="${path}, large">${drawn}</a>`}</figure></div>`;
}
