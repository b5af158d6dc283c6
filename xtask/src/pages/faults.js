// Pages with one fault each. A check that does not find the fault of such a page would pass on any
// page, so each is looked at first. They must not be valid in any other respect that counts.

const page = (body) => `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Fault</title>
<link rel="stylesheet" href="/checkout.css"><link rel="stylesheet" href="/fault.css"></head>
<body><main><h1>Fault</h1>${body}</main></body></html>`;

// What is on the page, and the kind of finding it must lead to.
const FAULTS = [
  ['accessibility', '<button type="button"></button>'],
  ['accessibility', '<p><a href="/x"><font color="#bbbbbb">Too pale to read</font></a></p>'],
  ['overflow', '<hr width="2000">'],
  ['policy', '<p style="color: red">A style of its own</p>'],
  ['policy', '<script>document.title = "Script"</script>'],
  ['request', '<p><img src="http://shop.invalid/x.png" alt="Elsewhere"></p>'],
  ['console', '<p><img src="/missing.png" alt="Missing"></p>'],
  ['focus', '<p><button type="button" class="fault">Without a ring</button></p>'],
];

const faults = FAULTS.map(([kind, body], index) => ({ kind, path: `/fault-${index}`, body }));

export const STYLE = '.fault:focus-visible { outline: none; }';
export const EXPECTED = faults.map(({ kind, path }) => ({ kind, path }));
export const PAGES = new Map(faults.map(({ path, body }) => [path, page(body)]));
