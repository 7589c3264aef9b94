/** @file Claiming a name, signing in and out. */
import { useState } from "preact/hooks";
import { messageOf } from "../api.js";
import { html } from "../html.js";
import { Problem, Segments } from "../parts.js";
import { navigate } from "../router.js";
import { claimName, me, nameGuest, signIn, signOut } from "../session.js";
import { useTitle } from "../turns.js";

export function SignIn() {
  useTitle("Sign in");
  const [task, setTask] = useState("claim");
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const who = me.value;
  const isClaiming = task === "claim";
  const isGuest = task === "guest";
  const asGuest = who?.name ? `, including the duels you played as ${who.name}` : "";

  /** @param {Event} event */
  const submit = async (event) => {
    event.preventDefault();
    setBusy(true);
    setProblem("");
    try {
      if (isGuest) {
        await nameGuest(name.trim());
        navigate("/");
        return;
      }
      await (isClaiming ? claimName : signIn)(name.trim(), password);
      navigate(`/player/${encodeURIComponent(me.value?.name ?? name)}`);
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  };

  if (who && !who.guest) {
    return html`<div class="plain narrow">
      <h1>You are signed in</h1>
      <p>
        As${" "}
        <a href="/player/${encodeURIComponent(who.name ?? "")}" dir="auto"><b>${who.name}</b></a>.
      </p>
      <button
        type="button"
        class="btn"
        data-sign-out
        onClick=${() => signOut().catch((error) => setProblem(messageOf(error)))}
      >
        Sign out
      </button>
      <${Problem} error=${problem} />
    </div>`;
  }
  return html`<div class="plain narrow">
    <h1>${isClaiming ? "Claim a name" : isGuest ? "Your name as a guest" : "Sign in"}</h1>
    <p class="soft">
      ${
        isClaiming
          ? `You can play without one. A name keeps your rating and your history${asGuest}.`
          : isGuest
            ? "Opponents see it in your next duels, with the word guest. It needs no password."
            : "Use the name and password that you chose."
      }
    </p>
    <${Segments}
      name="task"
      label="What to do"
      isLabelShown=${false}
      value=${task}
      onChange=${(/** @type {string} */ to) => (setTask(to), setProblem(""))}
      options=${[
        { value: "claim", label: "New name" },
        { value: "sign-in", label: "I have one" },
        { value: "guest", label: "Stay a guest" },
      ]}
    />
    <form class="card stack" onSubmit=${submit}>
      <p class="field">
        <label for="name">Name</label>
        <input
          id="name"
          name="username"
          required
          maxlength="30"
          autocomplete="username"
          autocapitalize="off"
          spellcheck=${false}
          value=${name}
          onInput=${(/** @type {any} */ event) => setName(event.target.value)}
        />
      </p>
      ${
        !isGuest &&
        html`<p class="field">
        <label for="password">Password</label>
        <input
          id="password"
          name="password"
          type="password"
          required
          autocomplete=${isClaiming ? "new-password" : "current-password"}
          value=${password}
          onInput=${(/** @type {any} */ event) => setPassword(event.target.value)}
        />
        ${
          isClaiming &&
          html`<small class="soft">
          A lost password cannot be recovered, as we have no e-mail address: keep it safe.
        </small>`
        }
      </p>`
      }
      <${Problem} error=${problem} />
      <button class="btn main" type="submit" disabled=${isBusy}>
        ${isClaiming ? "Claim the name" : isGuest ? "Use this name" : "Sign in"}
      </button>
    </form>
  </div>`;
}
