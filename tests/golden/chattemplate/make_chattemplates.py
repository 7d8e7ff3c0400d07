# SPDX-License-Identifier: GPL-3.0-or-later
"""Renders chat templates with jinja2, set up as transformers does, for the tests of core/text/chattemplate.

    python -m venv venv && venv/bin/pip install jinja2==3.1.6 && venv/bin/python tests/golden/chattemplate/make_chattemplates.py
"""
import json
import pathlib

from jinja2.exceptions import TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

TEMPLATES = {
    "turns": "{% for message in messages %}{{ '<|start|>' + message['role'] + '\n' + message['content'] + '<|end|>' + '\n' }}{% endfor %}"
             "{% if add_generation_prompt %}{{ '<|start|>assistant\n' }}{% endif %}",
    "default system": "{% for message in messages %}{% if loop.first and messages[0]['role'] != 'system' %}{{ '<s>system\nBe brief.</s>\n' }}{% endif %}"
                      "{{ '<s>' ~ message.role }}\n{{ message.content | trim }}</s>{% if not loop.last %}\n{% endif %}{% endfor %}",
    "alternating": "{{ bos_token }}\n{%- if messages[0].role == 'system' %}\n    {%- set system = messages[0].content %}\n    {%- set rest = messages[1:] %}\n"
                   "{%- else %}\n    {%- set rest = messages %}\n{%- endif %}\n{%- for m in rest %}\n"
                   "    {%- if (m['role'] == 'user') != (loop.index0 % 2 == 0) %}\n        {{- raise_exception('roles must alternate') }}\n    {%- endif %}\n"
                   "    {%- if m.role == 'user' %}\n        {%- if loop.first and system is defined %}\n            {{- '[I] ' + system + '\n\n' + m.content + ' [/I]' }}\n"
                   "        {%- else %}\n            {{- '[I] ' + m.content + ' [/I]' }}\n        {%- endif %}\n    {%- elif m.role == 'assistant' %}\n"
                   "        {{- ' ' + m.content.strip() + eos_token }}\n    {%- endif %}\n{%- endfor %}\n",
    "namespace": "{%- set ns = namespace(seen=0, last='none') -%}\n{# counts #}\n{% for m in messages %}\n  {% set ns.seen = ns.seen + 1 %}\n  {% set ns.last = m.role if m.content else 'empty' %}\n"
                 "{{ loop.index }}/{{ messages | length }} {{ m.role | upper }}: {{ m.content.split('\n')[0] }}\n{% endfor %}\n"
                 "total {{ ns.seen }}, {{ ns.last }}{{ ', prompt' if add_generation_prompt }}{% if tools is not defined or tools is none %} no tools{% endif %}\n"
                 "{{ 'yes' if 'user' in ['user', 'system'] and not ('x' not in 'axb') else 'no' }} {{ (2 + 3) * 4 - 6 % 4 }} {{ messages[-1].content[:3] }} {{ {'a': 1}['a'] }}",
}
CONVERSATIONS = [
    [("user", "Hello")],
    [("system", "You count."), ("user", "One?\nSecond line"), ("assistant", "  Two. "), ("user", "中文 \"quoted\" \\ back")],
    [("user", "a"), ("user", "b")],
    [("user", "")],
]


def main():
    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)

    def raise_exception(message):
        raise TemplateError(message)

    environment.globals["raise_exception"] = raise_exception
    cases = []
    for name, source in TEMPLATES.items():
        for conversation in CONVERSATIONS:
            for prompt in (False, True):
                messages = [{"role": role, "content": content} for role, content in conversation]
                try:
                    rendered = environment.from_string(source).render(messages=messages, add_generation_prompt=prompt, bos_token="<bos>", eos_token="<eos>")
                except TemplateError:
                    rendered = None
                cases.append({"template": source, "name": name, "messages": messages, "add_generation_prompt": prompt, "rendered": rendered})
    out = pathlib.Path(__file__).parents[2] / "data" / "text" / "chattemplates.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(cases, ensure_ascii=False, indent=0) + "\n")


if __name__ == "__main__":
    main()
