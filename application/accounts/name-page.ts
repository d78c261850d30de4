/** The page to choose the name that others see. */
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
import { action, href } from '../links.ts';
import { layout, type Viewer } from '../site/layout.ts';
import type { NameFields } from './account-forms.ts';

export interface NameView {
  readonly viewer: Viewer;
  readonly form: FilledForm<NameFields>;
  readonly errors: readonly FormError<NameFields>[];
}

export function namePage({ viewer, form }: NameView): Html {
  return layout({
    title: formTitle('Change name', form),
    viewer,
    section: 'account',
    main: html`<div class="narrow">
${errorSummary(form)}
<p class="back"><a href="${href('/account')}">← Account</a></p>
<h1>Change name</h1>
<p>You still log in as <strong>${viewer?.username ?? ''}</strong>. Items that you have borrowed show the new name.</p>
${formTag(
  form,
  html`${formField(form, 'displayname')}
<div class="actions"><button>Save name</button> <a href="${href('/account')}">Cancel</a></div>
`,
  { action: action('/account/name'), class: 'form' },
)}
</div>`,
  });
}
