"""Small trained models that read text, run by ONNX Runtime in this process."""
