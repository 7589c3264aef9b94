/** @file The settings of this browser: reveal, seats, sound, notifications. */
import { html } from "../html.js";
import { Segments } from "../parts.js";
import {
  hasNotifications,
  hasSound,
  isOwnLeft,
  SPEEDS,
  setNotifications,
  setOwnLeft,
  setSound,
  setSpeed,
  speed,
} from "../settings.js";
import { play } from "../sounds.js";
import { capitalised } from "../words.js";

export function Settings() {
  const canNotify = "Notification" in window;
  const isDenied = canNotify && Notification.permission === "denied";
  return html`<div class="settings">
    <${Segments}
      name="speed"
      label="Reveal"
      kind="small"
      value=${speed.value ?? "normal"}
      onChange=${setSpeed}
      options=${Object.keys(SPEEDS).map((each) => ({
        value: each,
        label: capitalised(each),
      }))}
    />
    <${Switch} name="left" label="You are always on the left" isOn=${isOwnLeft.value} onChange=${setOwnLeft} />
    <${Switch}
      name="sound"
      label="Sounds"
      isOn=${hasSound.value}
      onChange=${(/** @type {boolean} */ isOn) => (setSound(isOn), play("turn"))}
    />
    ${
      canNotify &&
      html`<${Switch}
      name="notify"
      label="Notify me when it is my turn and this page is in the background"
      isOn=${hasNotifications.value}
      isDisabled=${isDenied}
      onChange=${setNotifications}
    />`
    }
    ${isDenied && html`<p class="small soft">The browser does not allow notifications here.</p>`}
  </div>`;
}

/**
 * @param {{ name: string, label: string, isOn: boolean, isDisabled?: boolean,
 *   onChange: (isOn: boolean) => void }} props
 */
function Switch({ name, label, isOn, isDisabled = false, onChange }) {
  return html`<label class="switch" data-setting=${name}>
    <input
      type="checkbox"
      role="switch"
      checked=${isOn}
      disabled=${isDisabled}
      onChange=${(/** @type {any} */ event) => onChange(event.target.checked)}
    />
    ${label}
  </label>`;
}
