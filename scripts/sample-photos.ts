/** Drawings for the photos of the sample items in screenshots. As text, they are small and can be changed. */
import type { Browser } from 'playwright-core';

/** By the name of the item; 800 x 600. */
const DRAWINGS: Readonly<Record<string, readonly [back: string, shapes: string]>> = {
  'Label printer': [
    '#c9d6df',
    `<rect x="180" y="210" width="440" height="260" rx="36" fill="#2f3e4e"/><rect x="250" y="130" width="300" height="120" rx="8" fill="#fdfdfb"/>
<path d="M290 165h220M290 195h140" stroke="#333" stroke-width="12"/><rect x="230" y="280" width="340" height="60" rx="10" fill="#8fd3c4"/>
<circle cx="280" cy="410" r="22" fill="#e8505b"/><circle cx="350" cy="410" r="22" fill="#7c8b99"/><circle cx="420" cy="410" r="22" fill="#7c8b99"/>`,
  ],
  'Cordless drill': [
    '#e9d8b4',
    `<rect x="90" y="216" width="130" height="20" fill="#777"/><path d="M210 180l60 -20v130l-60 -20z" fill="#3a3a3a"/>
<rect x="260" y="140" width="310" height="170" rx="50" fill="#1f7a8c"/><path d="M440 290l120 0 40 180h-130z" fill="#14505c"/>
<rect x="420" y="450" width="230" height="90" rx="18" fill="#2b2b2b"/><path d="M420 310q-10 60 40 70" stroke="#222" stroke-width="18" fill="none"/><circle cx="520" cy="225" r="30" fill="#f4b942"/>`,
  ],
  'HDMI cable, 3 m': [
    '#dfe3d3',
    `<g fill="none" stroke="#23272e" stroke-width="26"><circle cx="400" cy="300" r="170"/><circle cx="400" cy="300" r="130"/><path d="M560 240q90 -60 60 -160M270 400q-90 60 -120 20"/></g>
<rect x="580" y="30" width="90" height="70" rx="8" fill="#444c58"/><rect x="596" y="10" width="58" height="30" fill="#c9a13b"/><rect x="100" y="370" width="70" height="90" rx="8" fill="#444c58"/>`,
  ],
  'First-aid kit': [
    '#f0e5dc',
    `<path d="M310 170v-50h180v50" fill="none" stroke="#8e1f25" stroke-width="28"/><rect x="150" y="160" width="500" height="340" rx="40" fill="#c8323a"/>
<path d="M355 240h90v65h65v90h-65v65h-90v-65h-65v-90h65z" fill="#fff"/>`,
  ],
  Projector: [
    '#cbd0dc',
    `<rect x="130" y="220" width="540" height="220" rx="40" fill="#f4f4f2"/><circle cx="290" cy="330" r="90" fill="#30343d"/><circle cx="290" cy="330" r="55" fill="#5f7fa8"/><circle cx="270" cy="310" r="16" fill="#dfeaf7"/>
<path d="M440 280h170M440 320h170M440 360h170" stroke="#b9bcc4" stroke-width="14"/><rect x="180" y="440" width="60" height="40" fill="#555"/><rect x="560" y="440" width="60" height="40" fill="#555"/>`,
  ],
  'Folding table': [
    '#d9e2d0',
    `<path d="M120 230h560l40 50h-640z" fill="#a9713f"/><rect x="80" y="280" width="640" height="26" fill="#7d512a"/>
<path d="M180 306l70 230M250 306l-70 230M550 306l70 230M620 306l-70 230" stroke="#5c6066" stroke-width="18"/>`,
  ],
};

/** A photo of each sample item, as the camera of a phone would send it. */
export async function drawPhotos(browser: Browser): Promise<ReadonlyMap<string, Buffer>> {
  const page = await browser.newPage({ viewport: { width: 800, height: 600 } });
  const photos = new Map<string, Buffer>();
  for (const [name, [back, shapes]] of Object.entries(DRAWINGS)) {
    await page.setContent(
      `<style>body { margin: 0 }</style><svg width="800" height="600"><rect width="800" height="600" fill="${back}"/><ellipse cx="400" cy="535" rx="330" ry="36" fill="#0002"/>${shapes}</svg>`,
    );
    photos.set(name, await page.screenshot({ type: 'jpeg', quality: 85 }));
  }
  await page.close();
  return photos;
}
