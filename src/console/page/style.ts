/** The style of all pages: the reader's colours, one column, and no file but this. */
export const style = `
:root {
  color-scheme: light dark;
  --ink: #1b1b1f; --quiet: #545865; --ground: #ffffff; --raised: #f6f7f9; --soft: #eceef2;
  --line: #d8dbe2; --edge: #858a97; --link: #0b4fb3; --on-link: #ffffff;
  --good: #14632b; --bad: #a3161a; --warn: #7a4b00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #ececf1; --quiet: #aeb2be; --ground: #15161a; --raised: #1c1e24; --soft: #2a2d36;
    --line: #363a45; --edge: #858a97; --link: #9cc2ff; --on-link: #0b1b33;
    --good: #8fdca6; --bad: #ffa4a4; --warn: #f5c977;
  }
}
* { box-sizing: border-box }
body { margin: 0; color: var(--ink); background: var(--ground);
  font: 16px/1.5 system-ui, sans-serif }
header, main { max-width: 72rem; margin: 0 auto; padding: 0 1.25rem }
main { padding-bottom: 3rem }
header { display: flex; flex-wrap: wrap; gap: 0 2rem; align-items: center;
  justify-content: space-between; border-bottom: 1px solid var(--line) }
nav ul { display: flex; flex-wrap: wrap; gap: 0 1.25rem; list-style: none; margin: 0; padding: 0 }
nav a { display: block; padding: 0.75rem 0; text-decoration: none;
  border-bottom: 3px solid transparent }
nav a:hover { border-color: var(--line) }
nav a[aria-current] { color: var(--ink); font-weight: 600; border-color: var(--link) }
header form { display: flex; gap: 0.75rem; align-items: center; margin: 0.5rem 0 }
header span { color: var(--quiet) }
a { color: var(--link) }
.skip { position: absolute; left: -999px; padding: 0.5rem 1rem; background: var(--ground) }
.skip:focus { left: 1rem }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 1.75rem 0 1rem; overflow-wrap: anywhere }
h2 { font-size: 1.15rem; margin: 2.25rem 0 0.5rem }
p { margin: 0.75rem 0; overflow-wrap: anywhere }
li { margin: 0.25rem 0; overflow-wrap: anywhere }
ul { margin: 0.5rem 0; padding-left: 1.25rem }
dl { margin: 0.5rem 0 }
dl div { display: flex; flex-wrap: wrap; gap: 0 1rem; padding: 0.4rem 0;
  border-bottom: 1px solid var(--line) }
dt { flex: 0 0 13rem; color: var(--quiet) }
dd { margin: 0; overflow-wrap: anywhere; flex: 1 1 16rem }
[data-live] { padding: 0.25rem 1.25rem 1rem; border: 1px solid var(--line); border-radius: 8px;
  background: var(--raised) }
[data-live] dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(5rem, 1fr));
  gap: 0.5rem }
[data-live] dl div { display: block; padding: 0; border: 0 }
[data-live] dd { font-size: 1.5rem; font-weight: 600; font-variant-numeric: tabular-nums }
progress { width: 100%; height: 0.75rem; accent-color: var(--link) }
.wide { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px }
table { border-collapse: collapse; width: 100% }
caption { text-align: left; color: var(--quiet); padding: 0.6rem 0.9rem }
h2 + .wide caption { position: absolute; clip-path: inset(50%) }
th { font-size: 0.85rem; font-weight: 600; color: var(--quiet); white-space: nowrap }
th, td { text-align: left; padding: 0.55rem 0.9rem; border-top: 1px solid var(--line);
  vertical-align: top }
tbody tr:hover { background: var(--raised) }
td:first-child { white-space: nowrap }
td:only-child { white-space: normal; overflow-wrap: anywhere }
img { max-width: 100%; height: auto }
code { font: 0.875em/1.5 ui-monospace, monospace; overflow-wrap: anywhere }
li code, p code { padding: 0.1em 0.35em; border-radius: 4px; background: var(--soft) }
button, input, select { font: inherit; color: inherit; background: var(--ground);
  border: 1px solid var(--edge); border-radius: 6px; padding: 0.4rem 0.9rem; min-height: 2.5rem }
input, select { max-width: 100% }
button { cursor: pointer }
button:hover { background: var(--soft) }
button:disabled { opacity: 0.6; cursor: default }
button.main { color: var(--on-link); background: var(--link); border-color: var(--link);
  font-weight: 600 }
button.main:hover { filter: brightness(1.1) }
:focus-visible, [type=date]:focus-within { outline: 3px solid var(--link); outline-offset: 2px }
.good { color: var(--good) } .bad { color: var(--bad) } .warn { color: var(--warn) }
em.warn { white-space: nowrap }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: end; margin: 1rem 0 }
label { display: block; color: var(--quiet) }
label input, label select { display: block; margin-top: 0.2rem; color: var(--ink) }
#told { position: sticky; top: 0.5rem; z-index: 1 }
#told:empty { display: none }
#draft label { margin: 0.75rem 0 }
#draft input:not([type=checkbox]), #draft select { width: 100%; max-width: 40rem }
#draft input[type=checkbox] { display: inline; min-height: 0; margin: 0 0.25rem 0 0 }
fieldset { min-width: 0; border: 1px solid var(--line); border-radius: 8px }
details { margin: 0.75rem 0 }
summary { cursor: pointer }
#told { white-space: pre-line; padding: 0.6rem 1rem; border-left: 4px solid var(--link);
  border-radius: 0 6px 6px 0; background: var(--raised) }
#told[data-kind="bad"] { border-color: var(--bad) }
@media (max-width: 36rem) {
  header, main { padding: 0 1rem }
  main { padding-bottom: 2rem }
  header form { width: 100%; justify-content: space-between }
  h1 { font-size: 1.35rem }
  dt { flex-basis: 100% }
  thead { display: none }
  tbody tr { display: block; padding: 0.5rem 0; border-top: 1px solid var(--line) }
  td { display: flex; gap: 0 0.75rem; padding: 0.2rem 0.9rem; border: 0; overflow-wrap: anywhere }
  td:first-child { white-space: normal; font-weight: 600 }
  td::before { content: attr(data-name); flex: 0 0 5.5rem; font-weight: 400; color: var(--quiet) }
  td:has(> div:empty) { display: none }
  td > div { min-width: 0 }
  em.warn { white-space: normal }
  .actions { flex-direction: column; align-items: stretch }
  .actions button, .actions input, .actions select { width: 100% }
}
`;
