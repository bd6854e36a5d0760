const themes = ['auto', 'light', 'dark'] as const
const key = 'rpc-docs-theme'
let theme: string = themes.find((each) => each === stored()) ?? 'auto'

/** Shows the page in the theme that was chosen before. */
export function applyTheme(): void {
  document.documentElement.dataset['theme'] = theme
}

/** A button that cycles through the themes. The choice is stored if the browser allows it. */
export function startTheme(): void {
  const toggle = document.querySelector<HTMLButtonElement>('.theme')
  const show = () => {
    if (toggle) toggle.textContent = `Theme: ${theme}`
  }
  show()
  toggle?.addEventListener('click', () => {
    theme = themes[(themes.indexOf(theme as 'auto') + 1) % themes.length] as string
    store(theme)
    applyTheme()
    show()
  })
}

function stored(): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function store(value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // It then lasts as long as the page.
  }
}
