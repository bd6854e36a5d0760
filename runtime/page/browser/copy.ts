import { announce, button } from './dom.js'

/** A button that copies the current text when it is pressed. */
export function copyButton(what: string, read: () => string): HTMLButtonElement {
  const copy = button('Copy', () => void write(), { class: 'copy', 'aria-label': `Copy ${what}` })
  return copy

  async function write() {
    const done = await copyText(read())
    copy.textContent = done ? 'Copied' : 'Not copied'
    announce(done ? `Copied ${what}` : `The browser did not copy ${what}`)
    setTimeout(() => {
      copy.textContent = 'Copy'
    }, 1500)
  }
}

/** The clipboard is for pages with https; elsewhere a selection is copied. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelection(text)
  }
}

function copySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'unseen'
  document.body.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  return done
}
