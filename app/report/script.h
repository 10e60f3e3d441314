// The report's script: search, filters, folding, and cards in portions. Without it every card is shown.
#pragma once

#include <string_view>

namespace scfe::app {

inline constexpr std::string_view report_script = R"js(
(() => {
  const tools = document.querySelector('.tools'), more = document.querySelector('.more');
  const cards = [...document.querySelectorAll('.cards > .card')].map((card) => ({
    card, text: card.textContent.toLowerCase(), changed: card.dataset.changed.split(' ') }));
  const field = (name) => tools.querySelector(`[name=${name}]`);
  const search = field('search'), status = field('status'), changed = field('changed'), fold = field('fold');
  const portion = 24;
  let room = portion, open = true;
  const draw = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let fitting = 0;
    for (const one of cards) {
      const fits = (!status.value || one.card.dataset.status === status.value) &&
        (!changed.value || one.changed.includes(changed.value)) && words.every((word) => one.text.includes(word));
      if (fits) ++fitting;
      one.card.classList.toggle('out', !fits);
      one.card.classList.toggle('later', fits && fitting > room);
    }
    more.hidden = fitting <= room;
    more.textContent = `Show ${Math.min(portion, fitting - room)} more of ${fitting}`;
    tools.querySelector('output').textContent = `${fitting} of ${cards.length}`;
  };
  const again = () => { room = portion; draw(); };
  for (const [what, event] of [[search, 'input'], [status, 'change'], [changed, 'change']]) what.addEventListener(event, again);
  more.addEventListener('click', () => { room += portion; draw(); });
  const set = (value) => { for (const one of cards) one.card.open = value; };
  fold.addEventListener('click', () => {
    open = !open;
    set(open);
    fold.textContent = open ? 'Fold all' : 'Unfold all';
  });
  addEventListener('beforeprint', () => set(true));
  tools.hidden = false;
  again();
})();
)js";

// Nothing may be loaded, and no script may run but this one, whatever names and cells contain. The hash is
// that of the script above; tests/cli/report_test.sh compares.
inline constexpr std::string_view report_policy =
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
    "script-src 'sha256-3b3w538n1KEpKrG7MU4iIUOtqaPuZxctvCAdo/y/+Wo='\">";

}  // namespace scfe::app
