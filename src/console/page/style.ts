/** The style of all pages: the reader's colours, one column, and no file but this. */
export const style = `
:root {
  color-scheme: light dark;
  --ink: #1b1b1f; --ground: #ffffff; --soft: #f1f2f5; --line: #b9bcc6; --link: #0b4fb3;
  --good: #14632b; --bad: #a3161a; --warn: #7a4b00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #ececf1; --ground: #16171b; --soft: #23252b; --line: #5d616d; --link: #9cc2ff;
    --good: #8fdca6; --bad: #ffa4a4; --warn: #f5c977;
  }
}
* { box-sizing: border-box }
body { margin: 0; color: var(--ink); background: var(--ground);
  font: 16px/1.5 system-ui, sans-serif }
header, main { max-width: 72rem; margin: 0 auto; padding: 0.75rem 1rem }
header { display: flex; flex-wrap: wrap; gap: 0.5rem 2rem; justify-content: space-between;
  border-bottom: 1px solid var(--line) }
nav ul { display: flex; flex-wrap: wrap; gap: 1rem; list-style: none; margin: 0; padding: 0 }
a { color: var(--link) }
a[aria-current] { font-weight: bold }
.skip { position: absolute; left: -999px }
.skip:focus { left: 1rem }
h1 { font-size: 1.5rem; overflow-wrap: anywhere }
h2 { font-size: 1.2rem; margin-top: 2rem }
dl div { display: flex; flex-wrap: wrap; gap: 0 1rem; padding: 0.2rem 0;
  border-bottom: 1px solid var(--soft) }
dt { flex: 0 0 12rem; color: var(--ink) }
dd { margin: 0; overflow-wrap: anywhere; flex: 1 1 16rem }
.wide { overflow-x: auto }
table { border-collapse: collapse; width: 100% }
caption { text-align: left; font-weight: bold; padding: 0.25rem 0 }
th, td { text-align: left; padding: 0.3rem 0.75rem 0.3rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top }
td:first-child { white-space: nowrap }
img { max-width: 100%; height: auto }
li, p { overflow-wrap: anywhere }
code { font: 0.9em ui-monospace, monospace; overflow-wrap: anywhere }
button, input, select { font: inherit; color: inherit; background: var(--soft);
  border: 1px solid var(--line); border-radius: 4px; padding: 0.4rem 0.8rem }
button { cursor: pointer }
button.main { font-weight: bold; border-width: 2px }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px }
.good { color: var(--good) } .bad { color: var(--bad) } .warn { color: var(--warn) }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: end; margin: 1rem 0 }
label { display: block }
#draft label { margin: 0.75rem 0 }
#draft input:not([type=checkbox]), #draft select { display: block; width: 100%; max-width: 40rem }
progress { width: 100%; height: 1rem }
#told:empty { display: none }
details { margin: 0.75rem 0 }
summary { cursor: pointer }
#told { white-space: pre-line; padding: 0.5rem 1rem; border-left: 4px solid var(--line);
  background: var(--soft) }
#told[data-kind="bad"] { border-color: var(--bad) }
`;
