import { h } from "preact";
import htm from "htm";

/** Makes elements from a template: html`<p class="soft">${text}</p>`. Text is always escaped. */
export const html =
  /** @type {(strings: TemplateStringsArray, ...values: any[]) => import("preact").VNode<any>} */ (
    htm.bind(h)
  );
