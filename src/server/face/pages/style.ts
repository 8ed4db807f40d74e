/** Style of the pages of a venue. System fonts, one palette for light and one for dark, nothing fetched. */
export const style = `
:root { color-scheme: light dark; --page: #ffffff; --soft: #f6f6f4; --ink: #17191e; --ink2: #565b65; --rule: #e5e5e1; --link: #2a55d4;
  --get: #087a58; --post: #9c5b00; --delete: #c23a28; }
@media (prefers-color-scheme: dark) { :root { --page: #0f1217; --soft: #171b22; --ink: #e7e9ed; --ink2: #a5abb6; --rule: #272d37; --link: #7ba2ff;
  --get: #3fcb98; --post: #efb253; --delete: #ff7d69; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto,
  "Helvetica Neue", Arial, sans-serif; display: grid; grid-template-columns: minmax(220px, 300px) minmax(0, 1fr); }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 20px; border-right: 1px solid var(--rule); font-size: 12.5px; }
nav h2 { font-size: 12.5px; margin: 16px 0 4px; text-transform: capitalize; }
nav ul { list-style: none; margin: 0; padding: 0; } nav li { overflow-wrap: anywhere; padding: 1px 0; }
main { padding: 28px 36px 90px; max-width: 1080px; }
a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; } nav a { color: var(--ink); }
h1 { font-size: 28px; letter-spacing: -0.015em; margin: 0 0 10px; } main h2 { font-size: 19px; margin: 44px 0 8px; text-transform: capitalize; }
h3 { font-size: 15px; margin: 0 0 6px; overflow-wrap: anywhere; } h4 { font-size: 12.5px; margin: 12px 0 4px; color: var(--ink2); }
p { margin: 0 0 8px; max-width: 80ch; } small { color: var(--ink2); }
code { font: 12.5px ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
article { border-top: 1px solid var(--rule); padding: 18px 0; } article:target, details:target { background: var(--soft); }
table { border-collapse: collapse; width: 100%; font-size: 13.5px; } td { vertical-align: top; padding: 4px 14px 4px 0;
  border-bottom: 1px solid var(--rule); overflow-wrap: anywhere; } td:first-child { width: 26%; } td:nth-child(2) { width: 26%; }
details { border-bottom: 1px solid var(--rule); padding: 6px 0; } summary { cursor: pointer; color: var(--ink2); } summary code { color: var(--ink); }
.get { color: var(--get); } .post { color: var(--post); } .delete { color: var(--delete); } .get, .post, .delete { font-weight: 650; font-size: 11.5px; }
@media (max-width: 760px) { body { display: block; } nav { position: static; height: auto; border: 0; } main { padding: 20px; } }
`;
