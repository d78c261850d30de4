// The camera on the page to scan, where the browser reads codes itself (BarcodeDetector). A code that it sees is typed
// into the field, and the form is sent, as a hand scanner does. Without this script the page works with the field.

const box = document.querySelector('.camera');
const video = box?.querySelector('video');
const button = box?.querySelector('button');
const field = document.getElementById('code');

/** The camera stays on from scan to scan, and a code counts once as long as it stays in sight. */
const CAMERA = 'scan-camera';
const LAST = 'scan-last';
/** Milliseconds without a code after which the same one counts again. */
const GONE = 1_500;

if (box && 'BarcodeDetector' in window && navigator.mediaDevices) {
  box.hidden = false;
  button.addEventListener('click', () => (video.srcObject ? stop() : start()));
  if (sessionStorage.getItem(CAMERA)) start();
}

async function start() {
  try {
    video.srcObject = await navigator.mediaDevices.getUserMedia({
      video: { facingMode: 'environment' },
    });
  } catch {
    sessionStorage.removeItem(CAMERA);
    button.textContent = 'The camera cannot be used';
    return;
  }
  sessionStorage.setItem(CAMERA, 'on');
  button.textContent = 'Stop the camera';
  video.hidden = false;
  await video.play();
  look(new BarcodeDetector(), sessionStorage.getItem(LAST), performance.now());
}

function stop() {
  sessionStorage.removeItem(CAMERA);
  for (const track of video.srcObject.getTracks()) track.stop();
  video.srcObject = null;
  video.hidden = true;
  button.textContent = 'Use the camera';
}

async function look(detector, last, seen) {
  if (!video.srcObject) return;
  const [found] = await detector.detect(video).catch(() => []);
  const now = performance.now();
  if (found && found.rawValue !== last) {
    sessionStorage.setItem(LAST, found.rawValue);
    navigator.vibrate?.(80);
    field.value = found.rawValue;
    field.form.requestSubmit();
    return;
  }
  const isGone = !found && now - seen > GONE;
  if (isGone) sessionStorage.removeItem(LAST);
  setTimeout(look, 120, detector, isGone ? null : last, found ? now : seen);
}
