/** @file The position editor: a form made from the fields that the server lists. */
import { html } from "../html.js";
import { SeatSign } from "../icons.js";
import { Stepper } from "../controls.js";
import { capitalised } from "../words.js";

/** @typedef {import("../types.js").FormField} FormField */

/**
 * @param {{ fields: FormField[], onChange: (path: string, value: number) => void }} props
 */
export function Editor({ fields, onChange }) {
  const shared = fields.filter((field) => field.seat === null);
  const labels = [...new Set(fields.filter((field) => field.seat).map((field) => field.label))];
  /** @param {string} seat @param {string} label */
  const find = (seat, label) =>
    fields.find((field) => field.seat === seat && field.label === label);
  return html`${
    shared.length > 0 &&
    html`<div class="edit-shared">
        ${shared.map(
          (field) => html`<span class="shared-field" key=${field.path}>
            <span aria-hidden="true">${capitalised(field.label)}</span>
            <${Control} field=${field} onChange=${onChange} />
          </span>`,
        )}
      </div>`
  }
    <div class="edit" data-editor>
      <b class="seat red"><${SeatSign} seat="red" />Red</b>
      <span></span>
      <b class="seat blue">Blue<${SeatSign} seat="blue" /></b>
      ${labels.map(
        (label) => html`
          <span class="cell"><${Control} field=${find("red", label)} onChange=${onChange} /></span>
          <span class="mid" aria-hidden="true">${label}</span>
          <span class="cell"><${Control} field=${find("blue", label)} onChange=${onChange} /></span>
        `,
      )}
    </div>`;
}

/** @param {{ field?: FormField, onChange: (path: string, value: number) => void }} props */
function Control({ field, onChange }) {
  if (!field) return null;
  const { path, value, least, most, words } = field;
  const label = `${field.seat ? `${capitalised(field.seat)}: ` : ""}${field.label}`;
  const id = `field-${path}`;
  /** @param {any} event */
  const pick = (event) => onChange(path, Number(event.target.value));
  if (words)
    return html`<select id=${id} aria-label=${label} data-field=${path} value=${value} onChange=${pick}>
      ${words.map(
        (word, place) => html`<option value=${least + place} selected=${least + place === value}>
        ${capitalised(word)}
      </option>`,
      )}
    </select>`;
  if (field.is_flag)
    return html`<span class="switch">
      <input
        id=${id}
        type="checkbox"
        role="switch"
        aria-label=${label}
        data-field=${path}
        checked=${value === 1}
        onChange=${(/** @type {any} */ event) => onChange(path, event.target.checked ? 1 : 0)}
      />
    </span>`;
  return html`<${Stepper}
    id=${id}
    label=${label}
    value=${value}
    least=${least}
    most=${most}
    onChange=${(/** @type {number} */ to) => onChange(path, to)}
  />`;
}
